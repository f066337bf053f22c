import { expect, test } from 'vitest'
import { Hearing } from '../../helpers/trace/hearing.ts'
import type { TraceExchange } from '../../schemas/types.ts'
import { listed, shownGroup } from './listed.ts'

const above = 'a'.repeat(40)
const home = `${above}/${'b'.repeat(16)}`
const group = `${home}/${'c'.repeat(16)}`

type Reading = 'shows' | 'misses'

/** The calls that make a group in another one. */
const creates = (
  [
    [above, home],
    [home, group],
  ] as const
).map(([parent, uid]) => ({
  operation: 'group.create',
  method: 'POST',
  path: `/iam/v2beta1/groups/${parent}`,
  body: { name: shownGroup(uid).name },
  uid,
}))

/** A run that makes a group in another one, and reads it; the rows that certainly find something, or may be late. */
function run(readings: readonly { through: string; answer: Reading }[]) {
  const late: string[] = []
  const hearing = new Hearing('v2beta1', 5000, { late: ({ row }) => void late.push(row) })
  let n = 0
  const take = (line: Partial<TraceExchange>, answer: object) => {
    n += 1
    hearing.take({ ...listed(n, n * 100), text: JSON.stringify(answer), ...line })
  }
  for (const { uid, ...create } of creates) take(create, shownGroup(uid))
  for (const { through, answer } of readings) {
    const isThere = answer === 'shows'
    if (through === 'Get') {
      const get = { operation: 'group.get', path: `/iam/v2beta1/groups/${group}`, status: isThere ? 200 : 404 }
      take(get, isThere ? shownGroup(group) : { code: 5 })
    } else {
      const groups = isThere ? [shownGroup(group)] : []
      const query: [string, string][] = [
        ['uidp.children_of', home],
        ['page_size', through],
      ]
      take({ query }, { groups, nextPageToken: '', totalCount: String(groups.length), skipped: 0 })
    }
  }
  return { late: [...new Set(late)], found: hearing.rows() }
}

test('what a Get does not show yet may be late, but not what it has shown', () => {
  expect(run([{ through: 'Get', answer: 'misses' }])).toEqual({ late: ['model.group.answer'], found: [] })
  expect(
    run([
      { through: 'Get', answer: 'shows' },
      { through: 'Get', answer: 'misses' },
    ]).found,
  ).toEqual(['model.group.answer'])
})

test('what a list has shown is missing there for no lag, and another list may lag on its own', () => {
  const [list, other] = ['50', '20'] as const
  expect(run([{ through: list, answer: 'misses' }]).found).toEqual([])
  expect(
    run([
      { through: list, answer: 'shows' },
      { through: list, answer: 'misses' },
    ]).found,
  ).toContain('model.group.members')
  expect(
    run([
      { through: list, answer: 'shows' },
      { through: other, answer: 'misses' },
    ]).found,
  ).toEqual([])
})

/** A run that gives a group another name, then the first one again, and lists it by that name: shown, then missing. */
function renamed(between: number) {
  const hearing = new Hearing('v2beta1', 5000, { late: () => {} })
  let [n, at] = [0, 0]
  const take = (line: Partial<TraceExchange>, answer: object) => {
    n += 1
    at += 100
    hearing.take({ ...listed(n, at), text: JSON.stringify(answer), ...line })
  }
  const { name } = shownGroup(group)
  for (const { uid, ...create } of creates) take(create, shownGroup(uid))
  for (const given of ['another', name]) {
    const [path, body] = [`/iam/v2beta1/groups/${group}`, { name: given }]
    take({ operation: 'group.update', method: 'PATCH', path, body }, { ...shownGroup(group), name: given })
    at += given === name ? 0 : between
  }
  for (const groups of [[shownGroup(group)], []]) {
    const query: [string, string][] = [
      ['uidp.children_of', home],
      ['name', name],
    ]
    take({ query }, { groups, nextPageToken: '', totalCount: String(groups.length), skipped: 0 })
  }
  return hearing.rows()
}

test('a list by a name may replay that a group had it, had another one, and has it again', () => {
  expect(renamed(0)).toEqual([])
  expect(renamed(6_000)).not.toEqual([])
})
