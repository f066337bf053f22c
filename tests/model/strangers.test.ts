import { expect, test } from 'vitest'
import { Hearing } from '../../helpers/trace/hearing.ts'
import type { TraceExchange } from '../../schemas/types.ts'
import { listed } from './listed.ts'

const home = `${'a'.repeat(40)}/${'b'.repeat(16)}`
const root = `${home}/${'c'.repeat(16)}`
const [made, other, stranger] = ['1', '2', '3'].map((digit) => `${root}/${digit.repeat(16)}`) as [
  string,
  string,
  string,
]
const time = new Date(Date.UTC(2026, 0, 1)).toISOString()
const group = (uid: string, name = 'default') => ({
  uid,
  name,
  description: '',
  resourceLimits: {},
  verified: false,
  createTime: time,
  updateTime: time,
})

/** A group with two groups of the run, and one that the target put there itself. */
class Run {
  readonly #hearing = new Hearing('v2beta1', 5000)
  #n = 0
  #now = 0

  constructor() {
    this.#create(home, root, 'root')
    this.#create(root, made, 'one')
    this.#create(root, other, 'two')
  }

  get found() {
    return this.#hearing.rows().filter((row) => this.#hearing.found(row).length > 0)
  }

  wait(seconds: number) {
    this.#now += seconds * 1000
  }

  /** A list of the repos in the group. */
  repos(names: readonly string[], query: Record<string, string> = {}) {
    const repos = names.map((name, at) => ({ uid: `${root}/${String(at).repeat(16)}`, name, createTime: time }))
    const text = JSON.stringify({ repos, nextPageToken: '', totalCount: String(names.length), skipped: 0 })
    const asked = Object.entries({ 'uidp.descendants_of': root, ...query })
    this.#exchange({ operation: 'repo.list', path: '/registry/v2beta1/repos', query: asked, text })
  }

  /** A list of what is in the group, or below it. */
  list(groups: object[], query: Record<string, string>, totalCount: number, nextPageToken = '') {
    const text = JSON.stringify({ groups, nextPageToken, totalCount: String(totalCount), skipped: 0 })
    const scope = query['uidp.descendants_of'] ? {} : { 'uidp.children_of': root }
    this.#exchange({ query: Object.entries({ ...scope, ...query }), text })
  }

  #create(parent: string, uid: string, name: string) {
    const path = `/iam/v2beta1/groups/${parent}`
    const text = JSON.stringify(group(uid, name))
    this.#exchange({ operation: 'group.create', method: 'POST', path, body: { name }, text })
  }

  #exchange(line: Partial<TraceExchange>) {
    this.#n += 1
    this.#now += 100
    this.#hearing.take({ ...listed(this.#n, this.#now), ...line })
  }
}

const all = [group(made, 'one'), group(other, 'two'), group(stranger)]
const whole = { page_size: '200' }

test.each([
  { seconds: 1, rows: [] },
  { seconds: 6, rows: ['model.group.members'] },
])("an order that misses the target's own $seconds s after that showed", ({ seconds, rows }) => {
  const run = new Run()
  run.wait(6)
  run.list(all, whole, 3)
  run.wait(seconds)

  run.list(all.slice(0, 2), { ...whole, order_by: 'created_at' }, 2)
  run.list(all, whole, 3)

  expect(run.found).toEqual(rows)
})

test("a list of what is below a group may include it beside the target's own, whatever its name", () => {
  const run = new Run()
  const below = { 'uidp.descendants_of': root }
  const [itself, namesake] = [group(root, 'root'), group(stranger, 'root')]
  const everything = [itself, ...all.slice(0, 2), namesake]
  run.wait(6)
  run.list(everything, { ...below, ...whole }, 4)
  run.wait(6)

  run.list([itself], { ...below, name: 'root', page_size: '1' }, 2, 'second')
  run.list(everything, { ...below, ...whole }, 4)

  expect(run.found).toEqual([])
})

test.each([
  { seconds: 1, rows: [] },
  { seconds: 6, rows: ['model.repo.content'] },
])("an order that shows a repo's former name $seconds s after others renamed it", ({ seconds, rows }) => {
  const run = new Run()
  run.repos(['one', 'two'])
  run.repos(['one', 'new'])
  run.wait(seconds)

  run.repos(['one', 'two'], { order_by: 'name' })
  run.repos(['one', 'new'])

  expect(run.found).toEqual(rows)
})

test('what a scope with a slash at its end lists is open (R15)', () => {
  const run = new Run()
  run.repos(['one', 'two'])
  run.wait(6)
  run.repos(['one', 'two'])
  run.repos(['one', 'two'], { 'uidp.descendants_of': `${home}/` })
  expect(run.found).toEqual([])

  run.repos(['one', 'two'], { 'uidp.descendants_of': `${home.slice(0, -1)}e` })
  expect(run.found).toContain('model.repo.members')
})
