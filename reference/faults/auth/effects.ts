import { type Fault, fault } from '../../fault.ts'
import { on, withRequest } from '../../replace.ts'
import { parameterIn } from '../paths.ts'
import { foundByModel, watching } from '../run/histories.ts'

/** Faults in what a call does that is refused for its token (R39). */
export const refusedCallFaults: readonly Fault[] = [
  fault(
    'a page token that came with a bad credential is used up',
    foundByModel,
    withRequest((request, contract) => {
      const used = new Set<string>()
      return {
        unauthenticated(rawUid, body, at) {
          const token = parameterIn(request()?.url, 'page_token')
          if (token) used.add(token)
          contract.unauthenticated(rawUid, body, at)
        },
        decodeToken: (token, at) => (used.has(token) ? undefined : contract.decodeToken(token, at)),
      }
    }),
  ),
  fault(
    'a create that is refused for its token counts as a child',
    { turnsRed: ['group.delete.emptied.whatever'], spreadsTo: ['grpc.delete.emptied'] },
    on('groups', (contract) => {
      const counted = new Set<string>()
      return {
        unauthenticated(rawUid, body, at) {
          if (at.operation === 'create') counted.add(decodeURIComponent(rawUid))
          contract.unauthenticated(rawUid, body, at)
        },
        blocksDelete: (item, living, at) => contract.blocksDelete(item, living, at) || counted.has(item.uid),
      }
    }),
  ),
  fault(
    'a delete that is refused for its token takes the group out of the index of names',
    foundByModel,
    on('groups', (contract) => {
      const lost = new Set<string>()
      return {
        unauthenticated(rawUid, body, at) {
          if (at.operation === 'delete') lost.add(decodeURIComponent(rawUid))
          contract.unauthenticated(rawUid, body, at)
        },
        ...watching(contract, (old, next) => {
          if (old.name !== next.name) lost.delete(next.uid)
        }),
        matchesName: (item, name, at) => contract.matchesName(item, name, at) && !lost.has(item.uid),
      }
    }),
  ),
  fault(
    'a DELETE in X-HTTP-Method-Override is carried out before who asks is checked',
    foundByModel,
    withRequest((request, contract) => ({
      unauthenticated(rawUid, body, at) {
        contract.unauthenticated(rawUid, body, at)
        const { store } = at.world
        const item = at.kind === 'none' ? undefined : store.get(at.kind, decodeURIComponent(rawUid))
        if (item === undefined || request()?.headers['x-http-method-override'] !== 'DELETE') return
        store.drop(item)
        store.unlist(item)
      },
    })),
  ),
  fault(
    'an update of a role binding that is refused for its token gives it the role',
    foundByModel,
    on('roleBindings', (contract) => ({
      unauthenticated(rawUid, body, at) {
        contract.unauthenticated(rawUid, body, at)
        const { store } = at.world
        const binding = store.get('roleBindings', decodeURIComponent(rawUid))
        const { roleUid } = contract.body(body, at) ?? {}
        const role = store.get('roles', String(roleUid))
        if (at.operation === 'update' && binding && role) store.put({ ...binding, roleUid: role.uid })
      },
    })),
  ),
]
