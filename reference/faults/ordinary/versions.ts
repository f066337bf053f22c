import type { Item, Kind } from '../../domain/item.ts'
import { type Fault, fault } from '../../fault.ts'
import { during, inV1, on, underMask } from '../../replace.ts'
import { foundByModel, storedAs } from '../run/histories.ts'

const inGroups: readonly Kind[] = ['groups', 'identities', 'roleBindings']

/** Faults of v1 as a view of what v2 keeps (S2.17, R44). */
export const ordinaryVersionFaults: readonly Fault[] = [
  fault('v1 shows hyphens for the underscores of a name', foundByModel, (contract) => ({
    v1Group: (item, time, at) => contract.v1Group({ ...item, name: item.name.replaceAll('_', '-') }, time, at),
  })),
  fault('the updatedAt of v1 follows what is made in the group', foundByModel, (contract) => ({
    v1Group(item, time, at) {
      const inside = inGroups.flatMap((kind) => [...at.world.store.under(kind, item.uid)])
      const updateTime = Math.max(item.updateTime, ...inside.map(({ createTime }) => createTime))
      return contract.v1Group({ ...item, updateTime }, time, at)
    },
  })),
  fault(
    'v1 lists no group with a blank or a dot in its name',
    foundByModel,
    on('groups', (contract) => ({
      v1Listed: (items, at) => contract.v1Listed(items, at).filter(({ name }) => !/[ .]/.test(name)),
    })),
  ),
  fault(
    'v1 does not hear of updates under a mask until the next one without',
    foundByModel,
    on('groups', (contract) => {
      const behind = new Map<string, Item>()
      const changes = underMask({
        modify(steps, at) {
          const old = steps.read()
          if (!behind.has(old.uid)) behind.set(old.uid, old)
          return contract.modify(steps, at)
        },
      })
      return {
        ...changes({
          ...contract,
          modify(steps, at) {
            behind.delete(steps.read().uid)
            return contract.modify(steps, at)
          },
        }),
        v1Group: (item, time, at) => contract.v1Group(behind.get(item.uid) ?? item, time, at),
      }
    }),
  ),
  // S2.4, R2
  fault(
    'what v1 makes was made in 1970',
    { turnsRed: ['model.*'], spreadsTo: ['*'] },
    inV1(
      during('create', (contract) => ({
        born: (now, at) => ({ ...contract.born(now, at), createTime: 0, updateTime: 0 }),
      })),
    ),
  ),
  // S9.1, R3
  fault(
    'v1 keeps sixty-three characters of a name',
    foundByModel,
    inV1(
      on(
        'groups',
        storedAs('name', (text) => text.slice(0, 63)),
      ),
    ),
  ),
]
