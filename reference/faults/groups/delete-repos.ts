import { type Fault, fault } from '../../fault.ts'
import { during, on, overGrpc, type Replacement } from '../../replace.ts'

/** What a group holds of the registry. */
const ofRegistry = ['repos', 'advisories']

/** Deletes a group although it holds repos. */
const withRepos: Replacement = (contract) => ({
  blocksDelete: (item, living, at) =>
    contract.blocksDelete(
      item,
      living.filter((kind) => !ofRegistry.includes(kind)),
      at,
    ),
})

/** Faults in Delete of a group that holds repos (S7.6, S2.16). */
export const groupDeleteReposFaults: readonly Fault[] = [
  fault('a group is deleted with its repos', ['group.delete.holds-repos'], on('groups', withRepos)),
  fault('over gRPC a group with repos is deleted', ['grpc.error.not-empty.repos'], on('groups', overGrpc(withRepos))),
  fault(
    'a refused delete of a group takes the tags of its repos',
    ['group.delete.holds-repos'],
    during('delete', (contract) => ({
      lostByRefusedDelete: (item, at) => {
        const { store } = at.world
        const tags = [...store.under('repos', item.uid)].flatMap(({ uid }) => [...store.under('tags', uid)])
        return [...contract.lostByRefusedDelete(item, at), ...tags]
      },
    })),
  ),
  fault(
    'the refusal to delete a group with repos and nothing else has no violation',
    ['group.delete.holds-repos.error'],
    (contract) => {
      const held = new WeakMap<object, readonly string[]>()
      return {
        blocksDelete(item, living, at) {
          held.set(at, living)
          return contract.blocksDelete(item, living, at)
        },
        errorDetails(refusal, info, at) {
          const details = contract.errorDetails(refusal, info, at)
          const isOfRegistry = (held.get(at) ?? []).every((kind) => ofRegistry.includes(kind))
          return refusal.problem === 'notEmpty' && isOfRegistry ? details.slice(0, 1) : details
        },
      }
    },
  ),
]
