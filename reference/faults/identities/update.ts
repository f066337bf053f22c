import type { Item } from '../../domain/item.ts'
import { type Fault, fault } from '../../fault.ts'
import { on } from '../../replace.ts'
import { changed, foundByModel, onceEach, withoutDescriptionBeside } from '../run/histories.ts'

/** Faults in Update of an identity (S4.3). */
export const identityUpdateFaults: readonly Fault[] = [
  fault(
    'a new identity was last seen in 1970',
    ['identity.last-seen.new'],
    on('identities', { born: (now) => ({ createTime: now, updateTime: now, lastSeenTime: 0 }) }),
  ),
  fault(
    'an update forgets when an identity was last seen',
    ['identity.last-seen.stays'],
    on('identities', (contract) => ({
      modify: ({ read, change, write }, at) =>
        contract.modify({ read, change: (old) => ({ ...change(old), lastSeenTime: 0 }), write }, at),
    })),
  ),
  fault(
    'an update of an identity says that it was last seen when it was made',
    foundByModel,
    on('identities', (contract) => changed(contract, (_old, next) => ({ ...next, lastSeenTime: next.createTime }))),
  ),
  fault(
    'a client says when an identity was last seen',
    foundByModel,
    on('identities', (contract) => ({
      settable: (at) => [...contract.settable(at), 'lastSeenTime'],
      stored: (value, field, at) =>
        field === 'lastSeenTime' ? Date.parse(String(value)) : contract.stored(value, field, at),
    })),
  ),
  fault(
    'a mask on the name lets the claim match beside it through',
    foundByModel,
    on('identities', (contract) => ({
      changed(sent, mask, settable, at) {
        const more = mask?.includes('name') && sent.includes('claimMatch') ? ['claimMatch'] : []
        return [...contract.changed(sent, mask, settable, at), ...more]
      },
    })),
  ),
  fault(
    'an update of an identity answers the state before',
    ['identity.update.answers', 'update.keeps-omitted@identities'],
    on('identities', {
      modify({ read, change, write }) {
        const old = read()
        write(change(old))
        return old
      },
    }),
  ),
  fault(
    'a refused update of an identity keeps the good half',
    ['identity.update.atomic'],
    on('identities', {
      leftByRefusedUpdate: (before, wanted) => ({ ...before, description: wanted.description }),
    }),
  ),
  fault(
    'a masked update of an identity writes back what Get showed last',
    foundByModel,
    on('identities', (contract) => {
      const shown = new Map<string, Item>()
      const masks = new WeakMap<object, readonly string[]>()
      return {
        found(uid, kind, at) {
          const item = contract.found(uid, kind, at)
          if (item && at.operation === 'get') shown.set(uid, item)
          return item
        },
        mask(raw, at) {
          const fields = contract.mask(raw, at)
          if (fields) masks.set(at, fields)
          return fields
        },
        ...changed(contract, (_old, next, at) => {
          const [mask, before] = [masks.get(at), shown.get(next.uid)]
          if (!mask || !before) return next
          return {
            ...next,
            ...(mask.includes('name') ? {} : { name: before.name }),
            ...(mask.includes('description') ? {} : { description: before.description }),
          }
        }),
      }
    }),
  ),
  fault(
    'an update of an identity with claims looks at no description',
    foundByModel,
    on('identities', withoutDescriptionBeside('claimMatch')),
  ),
  fault('a second update of an identity with one body is answered as the first', foundByModel, onceEach('identities')),
  fault(
    'the order of identities by name is not updated by a rename',
    foundByModel,
    on('identities', (contract) => {
      const first = new Map<string, string>()
      return {
        keep(item, at) {
          first.set(item.uid, item.name)
          contract.keep(item, at)
        },
        sortKey: (item, field, at) =>
          field === 'name' ? (first.get(item.uid) ?? item.name) : contract.sortKey(item, field, at),
      }
    }),
  ),
  fault(
    'a mask with a field that nobody knows counts as none on identities',
    foundByModel,
    on('identities', (contract) => ({
      mask(raw, at) {
        const fields = contract.mask(raw, at)
        return fields?.every((field) => contract.settable(at).includes(field)) ? fields : undefined
      },
    })),
  ),
  fault(
    'a mask sets when an identity was last seen',
    foundByModel,
    on('identities', (contract) => ({
      changed: (sent, mask, settable, at) => [
        ...contract.changed(sent, mask, settable, at),
        ...(mask?.includes('lastSeenTime') ? ['lastSeenTime'] : []),
      ],
      stored: (value, field, at) =>
        field === 'lastSeenTime' ? Date.parse(String(value)) : contract.stored(value, field, at),
    })),
  ),
  fault(
    'a rename of an identity to the name of a sibling is answered and forgotten',
    foundByModel,
    on('identities', (contract) => ({
      modify(steps, at) {
        const isTaken = (next: Item) =>
          [...at.world.store.under('identities', next.parent)].some(
            ({ uid, name }) => uid !== next.uid && name === next.name,
          )
        const write = (next: Item) => {
          if (next.name === steps.read().name || !isTaken(next)) steps.write(next)
        }
        return contract.modify({ ...steps, write }, at)
      },
    })),
  ),
  fault(
    'the description of a refused update of an identity comes with its next good one',
    foundByModel,
    on('identities', (contract) => {
      const pending = new Map<string, string>()
      return {
        leftByRefusedUpdate(before, wanted, at) {
          const { uid, description } = wanted
          if (typeof description === 'string' && description !== before.description) pending.set(uid, description)
          return contract.leftByRefusedUpdate(before, wanted, at)
        },
        ...changed(contract, (old, next) => {
          const description = pending.get(next.uid)
          pending.delete(next.uid)
          return description !== undefined && next.description === old.description ? { ...next, description } : next
        }),
      }
    }),
  ),
]
