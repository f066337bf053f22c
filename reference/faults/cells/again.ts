import { type Fault, fault } from '../../fault.ts'
import { doorOf, foundByDoors } from '../doors/doors.ts'
import { foundByModel } from '../run/histories.ts'
import { againForgotten, beforeIf, isEmptied, isRename, knowingAgain, remembering } from './past.ts'

/** Faults in what happens to a thing that was made again, or to a text that was emptied (S4.1, S4.26, R28). */
export const againCellFaults: readonly Fault[] = [
  fault(
    'a rename over HTTP of a group that was made again under the name of a deleted one is answered and forgotten',
    foundByModel,
    againForgotten('groups', (at) => doorOf(at) === 'http'),
  ),
  fault(
    'an update under a mask of an identity that was made again is answered and forgotten',
    foundByModel,
    againForgotten('identities', (_at, isMasked) => isMasked),
  ),
  fault(
    'a PUT in v1 of a group that was made again is answered and forgotten',
    foundByModel,
    againForgotten('groups', (at) => doorOf(at) === 'v1'),
  ),
  fault(
    'an update of an identity provider that was made again is answered and forgotten',
    foundByModel,
    againForgotten('identityProviders', () => true),
  ),
  fault(
    'identities in a group that was made again are in no list of the groups above',
    foundByModel,
    knowingAgain('groups', (isAgain, contract) => ({
      withinScope(item, at) {
        const scope = at.query?.descendantsOf
        const isHidden =
          item.kind === 'identities' && isAgain(item.parent) && scope !== undefined && scope !== item.parent
        return contract.withinScope(item, at) && !isHidden
      },
    })),
  ),
  fault(
    'v1 goes on to show the description of a group that gRPC emptied',
    foundByDoors,
    remembering(
      beforeIf('groups', (change) => isEmptied(change) && change.by === 'grpc'),
      (known, contract) => ({
        v1Group(item, time, at) {
          const before = known.get(item.uid)
          return contract.v1Group(before ? { ...item, description: before.description } : item, time, at)
        },
      }),
    ),
  ),
  fault('a description that gRPC emptied comes back with the next rename over HTTP', foundByDoors, (contract) => {
    const emptied = new Map<string, string>()
    return {
      modify: ({ read, change, write }, at) =>
        contract.modify(
          {
            read,
            change(old) {
              const next = change(old)
              const before = emptied.get(next.uid)
              emptied.delete(next.uid)
              if (old.description && !next.description && at.over === 'grpc') emptied.set(next.uid, old.description)
              const comesBack = before && !next.description && old.name !== next.name && doorOf(at) === 'http'
              return comesBack ? { ...next, description: before } : next
            },
            write,
          },
          at,
        ),
    }
  }),
  fault(
    'a description that was emptied without a mask comes back with the next claims of its identity',
    foundByModel,
    (contract) => {
      const [emptied, masked] = [new Map<string, string>(), new WeakSet<object>()]
      return {
        mask(raw, at) {
          const fields = contract.mask(raw, at)
          if (fields) masked.add(at)
          return fields
        },
        modify: ({ read, change, write }, at) =>
          contract.modify(
            {
              read,
              change(old) {
                const next = change(old)
                if (old.description && !next.description && !masked.has(at)) emptied.set(next.uid, old.description)
                const before = next.description ? undefined : emptied.get(next.uid)
                const isNew = JSON.stringify(old.claimMatch) !== JSON.stringify(next.claimMatch)
                return before && isNew && old.description === '' ? { ...next, description: before } : next
              },
              write,
            },
            at,
          ),
      }
    },
  ),
  fault(
    'Get over gRPC shows the description that v1 has left out',
    foundByDoors,
    remembering(
      beforeIf('groups', (change) => isEmptied(change) && change.by === 'v1'),
      (known, contract) => ({
        group(item, time, at) {
          const before = at.over === 'grpc' && at.operation === 'get' ? known.get(item.uid) : undefined
          return contract.group(before ? { ...item, description: before.description } : item, time, at)
        },
      }),
    ),
  ),
  fault(
    'what HTTP makes in a group that gRPC renamed is in no list of its children',
    foundByDoors,
    remembering(
      beforeIf('groups', (change) => isRename(change) && change.by === 'grpc'),
      (known, contract) => {
        const lost = new Set<string>()
        return {
          keep(item, at) {
            if (doorOf(at) === 'http' && known.has(item.parent)) lost.add(item.uid)
            contract.keep(item, at)
          },
          withinScope: (item, at) =>
            contract.withinScope(item, at) && !(at.query?.childrenOf !== undefined && lost.has(item.uid)),
        }
      },
    ),
  ),
  fault(
    'what gRPC makes in a group that HTTP renamed is in no list of the groups above',
    foundByDoors,
    remembering(
      beforeIf('groups', (change) => isRename(change) && change.by === 'http'),
      (known, contract) => {
        const lost = new Set<string>()
        return {
          keep(item, at) {
            if (doorOf(at) === 'grpc' && known.has(item.parent)) lost.add(item.uid)
            contract.keep(item, at)
          },
          withinScope(item, at) {
            const scope = at.query?.descendantsOf
            const isHidden = scope !== undefined && scope !== item.parent && lost.has(item.uid)
            return contract.withinScope(item, at) && !isHidden
          },
        }
      },
    ),
  ),
  fault(
    'a create over HTTP gives its group the name back that it had before gRPC renamed it',
    foundByDoors,
    (contract) => {
      return remembering(
        beforeIf('groups', (change) => isRename(change) && change.by === 'grpc'),
        (known, rules) => ({
          keep(item, at) {
            rules.keep(item, at)
            const [before, group] = [known.get(item.parent), at.world.store.get('groups', item.parent)]
            if (before && group && doorOf(at) === 'http') at.world.store.put({ ...group, name: before.name })
            known.delete(item.parent)
          },
        }),
      )(contract)
    },
  ),
]
