import type { At } from '../../domain/at.ts'
import type { Item } from '../../domain/item.ts'
import { Refusal } from '../../domain/refusal.ts'
import { type Variant, variant } from '../../fault.ts'
import type { Replacement } from '../../replace.ts'

const named = (kind: string) => kind === 'groups' || kind === 'identities'

/** A name is taken where another of its kind has one that is equal in this sense, under the same parent (R3). */
const slugged =
  (slug: (name: string) => string): Replacement =>
  (contract) => ({
    nameTaken: (wanted, at) =>
      contract.nameTaken(wanted, at) ||
      (named(wanted.kind) &&
        [...at.world.store.under(wanted.kind, wanted.parent)].some(
          ({ uid, name }) => uid !== wanted.uid && slug(name) === slug(wanted.name),
        )),
  })

/** A name is taken for ever, by any group of the organization, and that is a bad request (R3). */
const takenForEver =
  (refused: () => Refusal): Replacement =>
  (contract) => {
    const owners = new Map<string, string>()
    const claim = (item: Item) => item.kind === 'groups' && owners.set(item.name, item.uid)
    return {
      nameTaken(wanted, at) {
        const owner = wanted.kind === 'groups' ? owners.get(wanted.name) : undefined
        if (owner !== undefined && owner !== wanted.uid) throw refused()
        return contract.nameTaken(wanted, at)
      },
      keep(item, at) {
        contract.keep(item, at)
        claim(item)
      },
      modify(steps, at) {
        const write = (next: Item) => {
          steps.write(next)
          claim(next)
        }
        return contract.modify({ ...steps, write }, at)
      },
    }
  }

const descriptionOf =
  (change: (text: string) => string): Replacement =>
  (contract) => ({
    stored(value, field, at: At) {
      const kept = contract.stored(value, field, at)
      return field === 'description' && typeof kept === 'string' ? change(kept) : kept
    },
  })

/** Lawful names and descriptions (R3, R6, R54). */
export const productNameVariants: readonly Variant[] = [
  variant(
    'a name is taken where a sibling has the same letters and digits',
    slugged((name) => name.toLowerCase().replace(/[^a-z0-9]/g, '')),
  ),
  variant(
    'a name is taken where a sibling has it, whatever the blanks in it',
    slugged((name) => name.replace(/\s+/g, ' ').trim()),
  ),
  variant('no two things in a group have one name, of whatever kind', (contract) => ({
    nameTaken: (wanted, at) =>
      contract.nameTaken(wanted, at) ||
      (named(wanted.kind) &&
        (['groups', 'identities'] as const).some((kind) =>
          [...at.world.store.under(kind, wanted.parent)].some(
            ({ uid, name }) => uid !== wanted.uid && name === wanted.name,
          ),
        )),
  })),
  variant(
    'a name that was ever used is a bad request',
    takenForEver(() => new Refusal('invalid', 'name', 'a group with this name exists already')),
  ),
  variant('a name that was ever used is a failed precondition', (contract) => ({
    ...takenForEver(() => new Refusal('notEmpty', 'name', 'it is in use'))(contract),
    errorDetails: (refusal, info, at) =>
      refusal.field === 'name' && refusal.problem === 'notEmpty' ? [] : contract.errorDetails(refusal, info, at),
  })),
  variant(
    'descriptions are kept without the blanks around them, and in one line',
    descriptionOf((text) => text.trim().replace(/\s*[\r\n]+\s*/g, ' ')),
  ),
  variant(
    'a description has at most a hundred bytes, of groups and identities alike',
    (contract) => ({
      descriptionProblem: (description, at) =>
        Buffer.byteLength(String(description ?? '')) > 100
          ? 'a description has at most 100 bytes'
          : contract.descriptionProblem(description, at),
    }),
    ['group.description.long'],
  ),
]
