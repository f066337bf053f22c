import type { Fields } from '../../domain/item.ts'
import { Refusal } from '../../domain/refusal.ts'
import { type Fault, fault } from '../../fault.ts'
import { inV1, on, type Replacement } from '../../replace.ts'

/** Repos that v1 shows differently. */
const reposShown =
  (change: (fields: Fields) => Fields): Replacement =>
  (contract) => ({ v1Repo: (...given) => change(contract.v1Repo(...given)) })

/** Faults in repos of v1 (S2.17). */
export const v1ReposFaults: readonly Fault[] = [
  fault(
    'v1 shows the whole path of a repo as its name',
    ['v1.repo.agrees'],
    reposShown((fields) => ({ ...fields, name: `registry.test/${fields.name}` })),
  ),
  fault(
    'a v1 list of repos stops at the first two hundred and one',
    ['v1.repo.id'],
    on('repos', { v1Listed: (items) => items.slice(-201) }),
  ),
  fault(
    'v1 shows uid in place of id on repos',
    ['v1.repo.id'],
    reposShown(({ id, ...fields }) => ({ uid: id, ...fields })),
  ),
  fault('v1 lists repos under repos', ['v1.repo.items'], on('repos', { v1ListBody: (items) => ({ repos: items }) })),
  fault(
    'v1 has no list of repos',
    ['v1.repo.list.answers'],
    inV1(
      on('repos', {
        objection: () => new Refusal('missing', 'path', 'nothing lives at this path'),
      }),
    ),
  ),
  fault(
    'v1 shows a repo as made when it was last changed',
    ['v1.repo.times'],
    reposShown((fields) => ({ ...fields, createdAt: fields.updatedAt })),
  ),
]
