import type { At } from '../../domain/at.ts'
import type { Item } from '../../domain/item.ts'
import { basicFault, type Fault, fault } from '../../fault.ts'
import { during, on, when, withBody } from '../../replace.ts'
import type { Answer } from '../../rules/values.ts'
import { foundByModel } from '../run/histories.ts'

/** True for every operation except Get of a group, with which a run begins. */
const butGetOfGroups = ({ kind, operation }: At) => !(kind === 'groups' && operation === 'get')

const went = ({ status }: Answer) => status < 300

/** Faults in Create of a group, and in what it sets (S4.1, S4.2). */
export const groupCreateFaults: readonly Fault[] = [
  basicFault(
    'every create is refused',
    ['group.create.answers'],
    during('create', (contract) => ({
      render: (answer, at) =>
        went(answer)
          ? { ...answer, status: 400, body: { code: 3, message: 'no', details: [] } }
          : contract.render(answer, at),
    })),
  ),
  basicFault(
    'a create answers without a uid',
    ['group.create.answers'],
    during('create', (contract) => ({
      render(answer, at) {
        const { uid: _, ...body } = (answer.body ?? {}) as Record<string, unknown>
        return went(answer) ? { ...answer, body } : contract.render(answer, at)
      },
    })),
  ),
  basicFault('what a create answers is kept nowhere', ['group.create.answers'], () => ({
    keep: () => {},
  })),
  basicFault(
    'whatever is asked but Get of a group ends in a fault',
    ['group.create.answers', 'role.list.answers'],
    when(butGetOfGroups, (contract) => ({
      render: (answer, at) =>
        contract.render({ ...answer, status: 500, body: { code: 13, message: 'no', details: [] } }, at),
    })),
  ),
  basicFault(
    'all but a Get of a group is answered in HTML',
    ['group.create.answers', 'role.list.answers'],
    when(butGetOfGroups, () => ({
      text: () => '<html><h1>Welcome</h1></html>',
    })),
  ),
  fault(
    'a create beyond a hundred in one group fails',
    { turnsRed: ['group.create.answers', 'service.faults'], spreadsTo: ['list.*.crowd'] },
    on('groups', (contract) => ({
      keep(item, at) {
        contract.keep(item, at)
        const siblings = [...at.world.store.under('groups', item.parent)].length
        if (siblings % 100 === 0) throw new Error('deadline exceeded')
      },
    })),
  ),
  fault(
    'a refused create counts all the same',
    ['group.create.failed-leaves-nothing'],
    on('groups', (contract) => {
      const ghosts = new Map<string, number>()
      return {
        leftByRefusedCreate(draft) {
          ghosts.set(draft.parent, (ghosts.get(draft.parent) ?? 0) + 1)
          return []
        },
        totalCount: (counts, at) => {
          const more = ghosts.get(at.query?.childrenOf ?? '') ?? 0
          return contract.totalCount({ ...counts, matches: counts.matches + more }, at)
        },
      }
    }),
  ),
  fault(
    'one group in a burst is answered with another',
    ['group.create.many', 'group.description.kept'],
    (contract) => {
      let held: Item | undefined
      return during('create', (contract) => ({
        group(item, time, at) {
          const shown = held && held.parent === item.parent && held.createTime === item.createTime ? held : item
          held = item
          return contract.group({ ...item, description: shown.description }, time, at)
        },
      }))(contract)
    },
  ),
  fault(
    'a create below a group that is not there goes to the nearest one above',
    ['group.create.missing', 'group.delete.gone-from-get'],
    on(
      'groups',
      during('create', (contract) => ({
        found(uid, kind, at) {
          for (let path = uid; path !== ''; path = path.slice(0, Math.max(0, path.lastIndexOf('/')))) {
            const item = contract.found(path, kind, at)
            if (item) return item
          }
          return undefined
        },
      })),
    ),
  ),
  fault(
    'the only group in a group is not listed',
    { turnsRed: ['group.create.persists'], spreadsTo: ['group.*', 'list.total.follows', 'v1.group.create'] },
    on('groups', {
      sorted: (items, compare, at) =>
        items.length === 1 && at.query?.childrenOf !== undefined && at.query.name === undefined
          ? []
          : [...items].sort(compare),
    }),
  ),
  fault(
    'a new group shows its limits as text',
    ['group.create.shape'],
    on(
      'groups',
      during('create', (contract) => ({
        group: (...given) => ({ ...contract.group(...given), resourceLimits: 'none' }),
      })),
    ),
  ),
  fault(
    'a new group has every limit at zero',
    ['group.limits.new'],
    on('groups', {
      newborn: () => ({ description: '', resourceLimits: { repositories: 0, clusters: 0 }, verified: false }),
    }),
  ),
  fault(
    'a new group has null for its limits',
    { turnsRed: ['group.limits.new'], spreadsTo: ['group.*', 'service.nulls'] },
    on(
      'groups',
      during('create', (contract) => ({
        group: (...given) => ({ ...contract.group(...given), resourceLimits: null }),
      })),
    ),
  ),
  fault(
    'createTime may be updated',
    ['group.times.unchosen', 'group.update.immutable'],
    on(
      'groups',
      withBody((sent) => ({
        async modify({ read, change, write }, at) {
          const next = change(read())
          const wished = Date.parse(String(sent(at).createTime))
          const kept = Number.isNaN(wished) ? next : { ...next, createTime: wished }
          write(kept)
          return kept
        },
      })),
    ),
  ),
  fault(
    'a client may set the times of its group',
    ['group.times.unchosen'],
    on(
      'groups',
      during('create', {
        settable: () => ['name', 'description', 'createTime', 'updateTime'],
        stored: (value, field) => (field.endsWith('Time') ? Date.parse(String(value)) : value),
      }),
    ),
  ),
  fault(
    'a new group sets the description of a sibling that has its name',
    foundByModel,
    on('groups', (contract) => ({
      keep(item, at) {
        const { store } = at.world
        const { name, description } = item
        for (const other of [...store.under('groups', item.parent)])
          if (other.name === name) store.put({ ...other, description })
        contract.keep(item, at)
      },
    })),
  ),
]
