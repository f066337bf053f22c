import type { At } from '../../domain/at.ts'
import type { Item } from '../../domain/item.ts'
import { type Fault, fault } from '../../fault.ts'
import { during, on } from '../../replace.ts'
import { uidIn } from '../paths.ts'
import { pause } from '../pause.ts'
import { foundByModel } from '../run/histories.ts'

/** Faults in how Get and List show an identity (S4.3). */
export const identityGetFaults: readonly Fault[] = [
  fault(
    'get of an identity leaves the claim match out',
    ['identity.get.answers'],
    during('get', ({ identity }) => ({
      identity(...given) {
        const { claimMatch: _, ...fields } = identity(...given)
        return fields
      },
    })),
  ),
  fault(
    'a list of identities leaves the claim match out',
    ['identity.list.answers'],
    on(
      'identities',
      during('list', (contract) => ({
        identity(item, time, at) {
          const { claimMatch: _, ...fields } = contract.identity(item, time, at)
          return fields
        },
      })),
    ),
  ),
  fault(
    'the uid of a group is an identity, too',
    ['identity.wrong-kind'],
    on('identities', (contract) => ({
      found: (uid, kind, at) => contract.found(uid, kind, at) ?? at.world.store.get('groups', uid),
    })),
  ),
  fault('an identity is found by the last part of its uid', foundByModel, (contract) => ({
    found: (uid, kind, at) =>
      contract.found(uid, kind, at) ??
      (kind === 'identities' && uid.includes('/')
        ? [...at.world.store.all(kind)].find((item) => item.uid.split('/').at(-1) === uid.split('/').at(-1))
        : undefined),
  })),
  fault(
    'a group lists the identities of groups above it that are bound in it',
    foundByModel,
    on('identities', (contract) => {
      const isBound = ({ uid }: Item, { world: { store }, query }: At) => {
        const scope = query?.childrenOf ?? query?.descendantsOf
        return scope !== undefined && store.bindingsOf(uid).some(({ parent }) => parent === scope)
      }
      return {
        *candidates(at) {
          yield* contract.candidates(at)
          for (const item of at.world.store.all('identities'))
            if (isBound(item, at) && !contract.withinScope(item, at)) yield item
        },
        withinScope: (item, at) => contract.withinScope(item, at) || isBound(item, at),
      }
    }),
  ),
  fault(
    'lists of identities go on to show when each was last seen at its create',
    foundByModel,
    on(
      'identities',
      during('list', (contract) => ({
        identity: (item, time, at) => contract.identity({ ...item, lastSeenTime: item.createTime }, time, at),
      })),
    ),
  ),
  fault(
    'an identity that is read while it is deleted is found from then on',
    foundByModel,
    on(
      'identities',
      during('get', (contract) => {
        const kept = new Map<string, Item>()
        return {
          async transport(request, response, serve, at) {
            const { store } = at.world
            const item = store.get('identities', uidIn(request.url))
            if (item) {
              await pause(4)
              if (!store.get('identities', item.uid)) kept.set(item.uid, item)
            }
            await contract.transport(request, response, serve, at)
          },
          found: (uid, kind, at) => contract.found(uid, kind, at) ?? kept.get(uid),
        }
      }),
    ),
  ),
]
