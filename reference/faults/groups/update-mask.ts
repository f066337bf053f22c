import type { Item } from '../../domain/item.ts'
import { Refusal } from '../../domain/refusal.ts'
import { type Fault, fault } from '../../fault.ts'
import { during, on, underMask, withBody } from '../../replace.ts'
import { foundByModel } from '../run/histories.ts'

/** Faults in which fields an update changes (S4.26, S4.27). */
export const groupUpdateMaskFaults: readonly Fault[] = [
  fault(
    'a rename forgets the description',
    ['group.update.keeps-omitted', 'group.update.any-text', 'group.update.concurrent'],
    on(
      'groups',
      during('update', (contract) => ({
        changed: (sent, mask, settable, at) =>
          mask || sent.includes('description') || !sent.includes('name')
            ? contract.changed(sent, mask, settable, at)
            : settable,
      })),
    ),
  ),
  fault(
    'an empty description cannot be set',
    ['group.update.mask.clears', 'group.update.clears-unmasked'],
    on(
      'groups',
      withBody((sent, contract) => ({
        changed: (fields, mask, settable, at) =>
          contract
            .changed(fields, mask, settable, at)
            .filter((field) => field !== 'description' || sent(at).description !== ''),
      })),
    ),
  ),
  ...(['groups', 'identities'] as const).map((kind) =>
    fault(
      `a description of 0 under a mask is none, of ${kind}`,
      foundByModel,
      on(
        kind,
        withBody((sent, contract) => ({
          changed: (fields, mask, settable, at) =>
            contract
              .changed(fields, mask, settable, at)
              .filter((field) => mask === undefined || field !== 'description' || sent(at).description !== '0'),
        })),
      ),
    ),
  ),
  fault(
    'an update looks at names that its mask leaves out',
    ['group.update.mask.ignores-invalid'],
    on(
      'groups',
      withBody((sent, contract) => ({
        changed(fields, mask, settable, at) {
          const { name } = sent(at)
          const problem = name == null ? undefined : contract.nameProblem(name, at)
          if (problem !== undefined) throw new Refusal('invalid', 'name', problem)
          return contract.changed(fields, mask, settable, at)
        },
      })),
    ),
  ),
  fault(
    'the mask is ignored',
    {
      turnsRed: ['group.update.mask.name', 'group.update.mask.description'],
      spreadsTo: ['group.update.mask.*'],
    },
    () => ({
      mask: () => undefined,
    }),
  ),
  fault(
    'an update under a mask leaves the cache of Get as it was',
    { turnsRed: ['group.update.mask.name'], spreadsTo: ['group.update.mask.*'] },
    (contract) => {
      const cache = new Map<string, Item>()
      return on('groups', (contract) => ({
        ...underMask({
          modify({ read, change, write }) {
            const next = change(read())
            cache.set(next.uid, cache.get(next.uid) ?? read())
            write(next)
            return next
          },
        })(contract),
        ...during('get', {
          seen: (item: Item) => cache.get(item.uid) ?? item,
        })(contract),
      }))(contract)
    },
  ),
  fault(
    'what Get has shown it shows for ever',
    { turnsRed: ['group.update.mask.name'], spreadsTo: ['group.update.*'] },
    (contract) => {
      const cache = new Map<string, Item>()
      return on(
        'groups',
        during('get', {
          seen(item: Item) {
            if (!cache.has(item.uid)) cache.set(item.uid, item)
            return cache.get(item.uid)
          },
        }),
      )(contract)
    },
  ),
  fault(
    'one of two replicas does not hear of renames',
    { turnsRed: ['group.update.mask.name'], spreadsTo: ['group.get.repeated', 'group.update.*'] },
    on('groups', (contract) => {
      const names = new Map<string, string>()
      const gets = new Map<string, number>()
      return {
        keep(item, at) {
          contract.keep(item, at)
          names.set(item.uid, item.name)
        },
        seen(item, at) {
          if (at.operation !== 'get') return item
          const count = (gets.get(item.uid) ?? 0) + 1
          gets.set(item.uid, count)
          return count % 2 === 0 ? { ...item, name: names.get(item.uid) ?? item.name } : item
        },
      }
    }),
  ),
  fault('a mask with an unknown field is no mask', ['group.update.mask.unknown'], (contract) => ({
    mask(raw, at) {
      const fields = contract.mask(raw, at)
      const known = ['name', 'description', 'claimMatch', 'uid', 'createTime', '*']
      return fields?.every((field) => known.includes(field)) ? fields : undefined
    },
  })),
  fault(
    'an update of nothing clears the description',
    ['group.update.nothing', 'group.update.any-text'],
    on('groups', {
      changed: (sent, mask, settable) =>
        mask
          ? settable.filter((field) => mask.includes(field))
          : sent.length === 0
            ? ['description']
            : settable.filter((field) => sent.includes(field)),
    }),
  ),
]
