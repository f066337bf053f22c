import type { Fields, Item } from '../../domain/item.ts'
import { basicFault, type Fault, fault } from '../../fault.ts'
import { during, on, underMask, unmasked, withBody } from '../../replace.ts'
import { foundBySimilarUid } from '../lookups.ts'
import { foundByModel } from '../run/histories.ts'
import { depthOf } from '../scopes.ts'
import { groupsShown } from './shown.ts'

/** The members of a group in either version. */
const members = [
  ...['uid', 'id', 'name', 'description', 'verified', 'resourceLimits'],
  ...['createTime', 'updateTime', 'createdAt', 'updatedAt'],
]

/** Faults in what Update of a group does and answers (section 4, update semantics). */
export const groupUpdateFaults: readonly Fault[] = [
  fault(
    'a change far down is answered and forgotten',
    ['group.far-down'],
    on('groups', (contract) => ({
      modify: (steps, at) => contract.modify(depthOf(steps.read().uid) < 9 ? steps : { ...steps, write: () => {} }, at),
    })),
  ),
  fault(
    'a delete far down leaves the group where it is',
    ['group.far-down'],
    on('groups', (contract) => ({
      forget: (steps, item, at) => (depthOf(item.uid) < 9 ? contract.forget(steps, item, at) : undefined),
    })),
  ),
  basicFault('an update changes nothing', ['group.update.answers'], () => ({ changed: () => [] })),
  fault(
    'an update answers with a byte order mark',
    ['group.update.answers'],
    on('groups', during('update', { text: (body) => `\uFEFF${JSON.stringify(body)}` })),
  ),
  fault(
    'an update moves createTime',
    { turnsRed: ['group.update.immutable'], spreadsTo: ['group.update.*'] },
    on('groups', {
      touched: (old, differs, now) => ({ createTime: differs ? now : old.createTime, updateTime: now }),
    }),
  ),
  fault(
    'an update finds a group by the beginning of its uid',
    ['group.update.missing'],
    foundBySimilarUid('update', (item, uid) => item.uid.startsWith(uid)),
  ),
  fault(
    'an update reaches the groups below',
    ['group.update.neighbours'],
    on('groups', {
      modify({ read, change, write }, at) {
        const next = change(read())
        write(next)
        for (const child of [...at.world.store.under('groups', next.uid)]) {
          at.world.store.put({ ...child, description: next.description })
        }
        return next
      },
    }),
  ),
  fault(
    'an update follows the uid in the body',
    ['group.update.path-wins'],
    on(
      'groups',
      during(
        'update',
        withBody((sent, contract) => ({
          found: (uid, kind, at) =>
            contract.found(String(sent(at).uid ?? uid), kind, at) ?? contract.found(uid, kind, at),
        })),
      ),
    ),
  ),
  fault('the index of names is not updated by a rename', ['group.update.renamed-in-lists'], (contract) => {
    const first = new Map<string, string>()
    return {
      keep(item, at) {
        contract.keep(item, at)
        first.set(item.uid, item.name)
      },
      matchesName: (item, name) => (first.get(item.uid) ?? item.name) === name,
    }
  }),
  fault('the order by name is not updated by a rename', ['group.update.renamed-in-lists'], (contract) => {
    const first = new Map<string, string>()
    return {
      keep(item, at) {
        contract.keep(item, at)
        first.set(item.uid, item.name)
      },
      sortKey: (item, field, at) =>
        field === 'name' ? (first.get(item.uid) ?? item.name) : contract.sortKey(item, field, at),
    }
  }),
  fault(
    'an update answers the updateTime before',
    ['model.*'],
    on('groups', {
      modify({ read, change, write }) {
        const old = read()
        const next = change(old)
        write(next)
        return { ...next, updateTime: old.updateTime }
      },
    }),
  ),
  fault(
    'a list shows the time of the last update as that of the creation',
    ['group.update.returns-result'],
    groupsShown('list', (fields) => ({ ...fields, createTime: fields.updateTime })),
  ),
  fault(
    'a list shows groups as they were when they were made',
    ['group.update.returns-result', 'group.description.kept'],
    on('groups', (contract) => {
      const made = new Map<string, Item>()
      return {
        keep(item, at) {
          contract.keep(item, at)
          made.set(item.uid, item)
        },
        group: (item, time, at) => contract.group((at.operation === 'list' && made.get(item.uid)) || item, time, at),
      }
    }),
  ),
  fault(
    'a list shows a group for ever as it first showed it',
    ['group.update.returns-result'],
    during('list', (contract) => {
      const first = new Map<string, Fields>()
      return {
        group(item, time, at) {
          const shown = first.get(item.uid) ?? contract.group(item, time, at)
          first.set(item.uid, shown)
          return shown
        },
      }
    }),
  ),
  fault(
    'an update under a mask answers the state before',
    ['group.update.returns-unmasked'],
    on(
      'groups',
      underMask({
        modify({ read, change, write }) {
          const old = read()
          write(change(old))
          return old
        },
      }),
    ),
  ),
  fault(
    'an update answers what was sent, whatever its mask says',
    ['group.update.returns-unmasked'],
    on(
      'groups',
      withBody((sent) => ({
        modify({ read, change, write }, at) {
          const next = change(read())
          write(next)
          return { ...next, ...(sent(at) as Partial<Item>), uid: next.uid }
        },
      })),
    ),
  ),
  fault(
    'an update answers null for empty limits',
    ['group.update.shape'],
    groupsShown('update', (fields) => ({ ...fields, resourceLimits: null })),
  ),
  fault(
    'an update of a group with an unknown member is answered and forgotten',
    foundByModel,
    on(
      'groups',
      unmasked(
        withBody((sent, contract) => ({
          modify(steps, at) {
            const isKnown = Object.keys(sent(at)).every((member) => members.includes(member))
            return isKnown || at.version === 'v1' ? contract.modify(steps, at) : steps.change(steps.read())
          },
        })),
      ),
    ),
  ),
]
