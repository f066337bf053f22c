import { expect, test } from 'vitest'
import { list } from '../../reference/domain/lists.ts'
import { create } from '../../reference/domain/operations.ts'
import { seedElsewhere, seedOrganization, seedRoles } from '../../reference/domain/seed/organizations.ts'
import { type Context, createService } from '../../reference/domain/service.ts'
import { contract } from '../../reference/rules.ts'

const few = town(10)
const many = town(100_000)

test.each(['descendantsOf', 'childrenOf'])(
  'a list by %s visits what is in the scope, wherever else 100,000 groups lie',
  (scope) => {
    expect([...many.store.all('groups')].length).toBeGreaterThan(100_000)
    expect([visits(few, scope), visits(many, scope)]).toEqual([17, 17])
  },
)

test('a list by scope takes no longer for the 100,000 groups elsewhere', () => {
  const best = { few: Number.POSITIVE_INFINITY, many: Number.POSITIVE_INFINITY }
  for (let round = 0; round < 400; round++) {
    best.few = Math.min(best.few, duration(few))
    best.many = Math.min(best.many, duration(many))
    if (round >= 50 && best.many <= best.few * 1.2) break
  }
  expect(best.many).toBeLessThanOrEqual(best.few * 1.2)
})

function town(elsewhere: number) {
  const world = createService(contract)
  seedRoles(world)
  const { caller, groupUid } = seedOrganization(world, 'first')
  seedElsewhere(world, caller.org, elsewhere)
  const at: Context = {
    world,
    kind: 'groups',
    operation: 'list',
    version: 'v2',
    caller,
    page: 0,
    query: undefined,
  }
  const scope = String(create('groups', groupUid, { name: 'scope' }, { ...at, operation: 'create' }).uid)
  for (let n = 0; n < 17; n++) create('groups', scope, { name: `child ${n}` }, { ...at, operation: 'create' })
  return { store: world.store, at, scope }
}

function visits({ store, at, scope }: ReturnType<typeof town>, by: string): number {
  const before = store.visited
  expect(list('groups', { [by]: scope }, at).totalCount).toBe('17')
  return store.visited - before
}

// Many lists at a time, so that the clock's grain does not matter.
function duration({ at, scope }: ReturnType<typeof town>): number {
  const start = performance.now()
  for (let n = 0; n < 20; n++) list('groups', { descendantsOf: scope, orderBy: 'name' }, at)
  return performance.now() - start
}
