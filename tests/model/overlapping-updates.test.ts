import { expect, test } from 'vitest'
import { Hearing } from '../../helpers/trace/hearing.ts'
import type { TraceExchange } from '../../schemas/types.ts'
import { listed, shownGroup } from './listed.ts'

const above = 'a'.repeat(40)
const group = `${above}/${'b'.repeat(16)}`
const began = Date.UTC(2026, 0, 1)

/** Two Updates of one group, each from when to when; the second answers a time so much earlier, and a Get shows it. */
function findings(first: [number, number], second: [number, number], earlier: number): string[] {
  const hearing = new Hearing('v2beta1', 5000)
  let n = 0
  const take = (line: Partial<TraceExchange>, answer: object) => {
    n += 1
    hearing.take({ ...listed(n, 0), text: JSON.stringify(answer), ...line })
  }
  const at = ([sent, answered]: [number, number]) => ({ sent, answered })
  take({ method: 'POST', path: `/iam/v2beta1/groups/${above}`, body: { name: 'name b' } }, shownGroup(group))
  const shown = (name: string, time: number) => ({
    ...shownGroup(group),
    name,
    updateTime: new Date(began + time).toISOString(),
  })
  const path = `/iam/v2beta1/groups/${group}`
  for (const ticket of [n + 1, n + 2]) hearing.take({ line: 'sent', seq: ticket, ticket, method: 'PATCH', at: 1_000 })
  const time = first[0] + 10
  const update = { operation: 'group.update', method: 'PATCH', path }
  take({ ...update, ...at(first), body: { name: 'first' } }, shown('first', time))
  take({ ...update, ...at(second), body: { name: 'second' } }, shown('second', time - earlier))
  take({ operation: 'group.get', path, sent: 20_000, answered: 20_010 }, shown('second', time - earlier))
  return hearing.rows().filter((row) => hearing.found(row).length > 0)
}

test('of two updates at once the one that ends last may have the time of its beginning', () => {
  expect(findings([1_400, 1_500], [1_000, 1_900], 300)).toEqual([])
})

test('no updateTime is from before both, or from before an update that had ended', () => {
  expect(findings([1_400, 1_500], [1_000, 1_900], 900)).toEqual(['model.group.time'])
  expect(findings([1_000, 1_100], [1_200, 1_300], 300)).toEqual(['model.group.time'])
})
