import type { Item } from './domain/item.ts'
import type { At } from './domain/world.ts'
import { during, type Fault, fault, when } from './replace.ts'
import type { Answer } from './rules.ts'

/** Every answer of the API but those to Get of a group, by which a run begins. */
const butGetOfGroups = ({ kind, operation }: At) => !(kind === 'groups' && operation === 'get')

const went = ({ status }: Answer) => status < 300

/** What is broken so plainly that almost every requirement stumbles over it: one cause each, and little else is red. */
export const faultsOfBasics: readonly Fault[] = [
  fault(
    'every create is refused',
    ['group.create.answers'],
    during('create', (contract) => ({
      render: (answer, at) =>
        went(answer)
          ? { ...answer, status: 400, body: { code: 3, message: 'no', details: [] } }
          : contract.render(answer, at),
    })),
  ),
  fault(
    'a create answers without a uid',
    ['group.create.answers'],
    during('create', (contract) => ({
      render(answer, at) {
        const { uid: _, ...body } = (answer.body ?? {}) as Record<string, unknown>
        return went(answer) ? { ...answer, body } : contract.render(answer, at)
      },
    })),
  ),
  fault('what a create answers is kept nowhere', ['group.create.answers'], () => ({
    keep: () => {},
  })),
  fault('every list is empty', ['group.list.answers'], () => ({ *candidates() {} })),
  fault('a list has its array under items', ['group.list.answers'], () => ({
    listBody: ({ items, ...beside }) => ({ items, ...beside }),
  })),
  fault(
    'Get finds nothing but what stood there before',
    ['group.get.answers'],
    during('get', (contract) => ({
      found(uid, kind, at) {
        const item = contract.found(uid, kind, at)
        return item && item.createTime > startOf(at) ? undefined : item
      },
    })),
  ),
  fault(
    'Get answers the group above',
    ['group.get.answers', 'group.get.odd-paths'],
    during('get', (contract) => ({
      found: (uid, kind, at) => parentOf(contract.found(uid, kind, at), at),
    })),
  ),
  fault('an update changes nothing', ['group.update.answers'], () => ({ changed: () => [] })),
  fault('a delete deletes nothing', ['group.delete.gone-from-get'], () => ({ forget: () => {} })),
  fault('nobody looks at tokens', ['auth.required.get*'], () => ({ needsToken: () => false })),
  fault(
    'whatever is asked but Get of a group ends in a fault',
    ['group.create.answers', 'role.list.answers'],
    when(butGetOfGroups, (contract) => ({
      render: (answer, at) =>
        contract.render({ ...answer, status: 500, body: { code: 13, message: 'no', details: [] } }, at),
    })),
  ),
  fault(
    'all but a Get of a group is answered in HTML',
    ['group.create.answers', 'role.list.answers'],
    when(butGetOfGroups, () => ({
      text: () => '<html><h1>Welcome</h1></html>',
    })),
  ),
  fault(
    'a page token is ignored',
    {
      turnsRed: ['list.token.goes-on', 'list.token.last-page', 'list.token.last-page@*'],
      spreadsTo: ['list.token.*', 'list.walk.*'],
    },
    () => ({
      rest: (sorted) => sorted,
    }),
  ),
  fault(
    'page_size is ignored',
    {
      turnsRed: ['list.page-size.asked', 'list.page-size.exact', 'list.page-size.exact@*', 'list.order.name@roles'],
      spreadsTo: ['list.page-size.*', 'list.order.*@roles'],
    },
    () => ({ pageSize: () => 50 }),
  ),
  fault('the name to filter by is ignored', ['list.filter.finds'], () => ({ matchesName: () => true })),
  fault(
    'order_by is ignored',
    {
      turnsRed: ['list.order.name', 'list.order.name@*', 'list.order.name-desc', 'list.order.name-desc@*'],
      spreadsTo: ['list.order.name*', 'list.order.created_at*'],
    },
    (contract) => ({
      order: (asked, cursor, at) => contract.order(asked, cursor, at) && { field: 'uid', descending: false },
    }),
  ),
  fault('a scope is ignored', ['group.list.answers'], () => ({
    *candidates(at) {
      if (at.kind !== 'none')
        yield* at.kind === 'roles' ? at.world.store.under('roles', '') : at.world.store.all(at.kind)
    },
    withinScope: () => true,
  })),
  fault(
    'every refusal has the status of a success',
    { turnsRed: ['error.never-succeeds'], spreadsTo: ['group.get.missing'] },
    () => ({
      errorStatus: () => 200,
    }),
  ),
  fault('nothing is ever skipped', { turnsRed: ['list.skip.fewer-left'], spreadsTo: ['list.skip.*'] }, () => ({
    skipApplied: () => 0,
    skipped: () => 0,
  })),
  fault('totalCount is what the page holds', ['list.total.counts*'], () => ({
    totalCount: ({ shown }) => String(shown),
  })),
]

const starts = new WeakMap<object, number>()

function startOf({ world }: At): number {
  if (!starts.has(world)) starts.set(world, world.now())
  return starts.get(world)!
}

function parentOf(item: Item | undefined, at: At): Item | undefined {
  return item && (at.world.store.get('groups', item.parent) ?? item)
}
