import { expect, test } from 'vitest'
import { Hearing } from '../../helpers/trace/hearing.ts'
import { Lines } from '../../helpers/trace/line-of.ts'
import type { TraceExchange } from '../../schemas/types.ts'
import { listed } from './listed.ts'

const home = `${'a'.repeat(40)}/${'b'.repeat(16)}`
const root = `${home}/${'c'.repeat(16)}`
const group = `${root}/${'d'.repeat(16)}`
const at = (second: number) => new Date(Date.UTC(2026, 0, 1) + second * 1000).toISOString()

/** A run of one group: its description, how it is changed, and how lists show it. */
class Run {
  /** The rows of which something may only be late. */
  readonly late: string[] = []
  /** The rows with a finding, which nothing can explain. */
  get found(): string[] {
    return this.#hearing.rows()
  }
  readonly #hearing = new Hearing('v2beta1', 5000, { late: ({ row }) => void this.late.push(row) })
  #n = 0

  #exchange(line: Partial<TraceExchange>, answer: object) {
    this.#n += 1
    this.#hearing.take({ ...listed(this.#n, this.#n * 1000), text: JSON.stringify(answer), ...line })
  }

  #shown(description: string, updated: number) {
    return {
      uid: group,
      name: 'one',
      description,
      resourceLimits: {},
      verified: false,
      createTime: at(2),
      updateTime: at(updated),
    }
  }

  create(description: string, sent: unknown = description) {
    const post = (parent: string, uid: string) =>
      this.#exchange(
        { method: 'POST', path: `/iam/v2beta1/groups/${parent}`, body: { name: 'one', description: sent } },
        { ...this.#shown(description, this.#n + 1), uid, createTime: at(this.#n + 1) },
      )
    post(home, root)
    post(root, group)
  }

  describe(description: string) {
    const path = `/iam/v2beta1/groups/${group}`
    this.#exchange({ method: 'PATCH', path, body: { description } }, this.#shown(description, this.#n + 1))
  }

  refuseGet(query: [string, string][]) {
    const refusal = { status: 400, text: '{"code": 3}' }
    this.#exchange({ operation: 'group.get', path: `/iam/v2beta1/groups/${group}`, query, ...refusal }, {})
  }

  /** An Update that is refused, so many seconds after the call before. */
  refuseUpdate(description: string, seconds: number) {
    this.#n += seconds - 1
    const refusal = { method: 'PATCH', status: 400, text: '{"code": 3}', body: { description } }
    this.#exchange({ operation: 'group.update', path: `/iam/v2beta1/groups/${group}`, ...refusal }, {})
  }

  /** A Create in the group, answered as if that were not there. */
  missParent() {
    const refusal = { method: 'POST', status: 404, text: '{"code": 5}', body: { name: 'three' } }
    this.#exchange({ operation: 'group.create', path: `/iam/v2beta1/groups/${group}`, ...refusal }, {})
  }

  delete() {
    this.#exchange({ operation: 'group.delete', method: 'DELETE', path: `/iam/v2beta1/groups/${group}`, text: '' }, {})
  }

  /** A create in the deleted group, accepted; `seconds`: how long to wait before. */
  createInside(seconds = 0, version = 'v2beta1') {
    this.#n += seconds
    const uid = `${group}/${String(this.#n).padStart(16, '0')}`
    this.#exchange(
      { operation: 'group.create', method: 'POST', path: `/iam/${version}/groups/${group}`, body: { name: 'two' } },
      { ...this.#shown('', this.#n + 1), uid, name: 'two', createTime: at(this.#n + 1) },
    )
  }

  get takenLate() {
    return [...this.#hearing.judge.state.takenLate.values()]
  }

  list(description: string, updated: number, rereads: Partial<TraceExchange> = {}) {
    const answer = { groups: [this.#shown(description, updated)], nextPageToken: '', totalCount: '1', skipped: 0 }
    this.#exchange({ query: [['uidp.children_of', root]], ...rereads }, answer)
  }

  get isLate() {
    return this.#hearing.judge.state.flags.has('lag')
  }

  /** How many findings of a row a target does not explain that shows writes late. */
  unexplainedByLag(row: string): number {
    this.#hearing.judge.state.flags.add('lag')
    return this.#hearing.found(row).length
  }
}

/** A list still showed a description after it had been changed. */
function staleRun() {
  const run = new Run()
  run.create('old')
  run.describe('new')
  run.list('old', 2)
  return run
}

test('a list that fits when it is read again was late', () => {
  const run = staleRun()

  expect(run.late).toContain('model.group.content')
  run.list('new', 3, { rereads: 'model.group.content' })
  expect(run.isLate).toBe(true)
})

test('a list is repeated as often as it is late, as long as it fits in the end', () => {
  const run = staleRun()

  for (let again = 0; again < 30; again++) {
    run.list('new', 3, { rereads: 'model.group.content' })
    run.describe('newer')
    run.describe('new')
    run.list('newer', 3)
  }
  expect(run.late.filter((row) => row === 'model.group.content')).toHaveLength(31)
})

test('a list that fits because of a write in between was not late', () => {
  const run = staleRun()

  run.describe('newest')
  run.list('newest', 5, { rereads: 'model.group.content' })
  expect(run.isLate).toBe(false)
})

test('a list that goes on not to fit was not late', () => {
  const run = staleRun()

  run.list('old', 2, { rereads: 'model.group.content' })
  expect(run.isLate).toBe(false)
})

test('a Get is judged by its refusal only where it has no parameter', () => {
  const run = new Run()
  run.create('old')

  run.refuseGet([['x', '1']])
  run.refuseGet([['?', '']])
  expect([...run.found, ...run.late]).toEqual([])
  run.refuseGet([])
  expect([...run.found, ...run.late]).toEqual(['model.group.answer'])
})

test('a description of a wrong type is as the answer to its create shows it', () => {
  const run = new Run()
  run.create('7', 7)

  run.list('7', 2)
  expect(run.found).toEqual([])
  run.list('8', 2)
  expect(run.found).toEqual(['model.group.content'])
})

test('what follows the first question mark in a path is the query of the call', () => {
  const lines = new Lines({ signedByOwn: () => undefined, now: () => undefined })
  const queryOf = (path: string) => {
    const call = { operation: 'group.get', method: 'GET', path } as const
    return lines.sent(call, { shown: 'none' }, { phase: 'act', exchanges: [] }, undefined).query
  }

  expect(['/a', '/a?', '/a?x=1&y', '/a??'].map(queryOf)).toEqual([
    [],
    [],
    [
      ['x', '1'],
      ['y', ''],
    ],
    [['?', '']],
  ])
})

test('what is accepted in a group just deleted must be refused only later', () => {
  const run = new Run()
  run.create('')
  run.delete()

  run.createInside()
  expect(run.found).toEqual([])
  expect(run.takenLate).toMatchObject([{ kind: 'groups', does: 'create', uid: group, body: { name: 'two' } }])
  run.createInside(5)
  expect(run.found).toEqual(['model.group.refusal'])
})

test('findings that a lag explains leave room for one that it does not explain', () => {
  const run = new Run()
  run.create('old')
  for (const again of [1, 2, 3, 4, 5, 6]) run.refuseUpdate(`new ${again}`, 0.1)
  expect(run.unexplainedByLag('model.group.answer')).toBe(0)

  run.refuseUpdate('new', 10)
  expect(run.unexplainedByLag('model.group.answer')).toBe(1)
})

test('a new group may be unknown to creates until one has known it', () => {
  const run = new Run()
  run.create('')

  run.missParent()
  run.createInside(0, 'v1')
  run.missParent()
  expect(run.found).toEqual([])
  run.createInside()
  run.missParent()
  expect(run.found).toEqual(['model.group.answer'])
})
