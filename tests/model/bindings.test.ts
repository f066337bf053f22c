import { expect, test } from 'vitest'
import { Hearing } from '../../helpers/trace/hearing.ts'
import type { TraceExchange } from '../../schemas/types.ts'

const home = `${'a'.repeat(40)}/${'b'.repeat(16)}`
const at = (second: number) => new Date(Date.UTC(2026, 0, 1) + second * 1000).toISOString()
const uidOf = (letter: string) => `${home}/${letter.repeat(16)}`
const [first, second, binding] = [uidOf('c'), uidOf('d'), uidOf('e')]
const [viewer, editor] = ['1'.repeat(40), '2'.repeat(40)]

/** A run of one group with two identities and a role binding of the first, each call some seconds after the one before. */
class Run {
  readonly #hearing = new Hearing('v2beta1', 5000, {})
  readonly #claims = (uid: string) => ({ issuer: 'https://issuer.example', subject: `subject of ${uid}` })
  #n = 0
  #second = 0
  /** How many seconds lie between two calls. */
  readonly #pace: number

  constructor(pace = 6) {
    this.#pace = pace
    const above = home.slice(0, home.indexOf('/'))
    this.#send('POST', `groups/${above}`, { name: 'home' }, this.#group())
    for (const uid of [first, second])
      this.#send('POST', `identities/${home}`, { name: 'one', claimMatch: this.#claims(uid) }, this.#identity(uid))
    this.#send('POST', `roleBindings/${home}`, { identityUid: first, roleUid: viewer }, this.#binding(first, viewer))
  }

  /** The rows with findings, also where something excuses these. */
  get rows(): string[] {
    return this.#hearing.rows()
  }

  get found(): string[] {
    return this.rows.filter((row) => this.#hearing.found(row).length > 0)
  }

  #send(
    method: 'POST' | 'PATCH' | 'DELETE' | 'GET',
    path: string,
    body: Record<string, unknown> | undefined,
    answer: object,
    query?: [string, string][],
    more: Partial<TraceExchange> = {},
  ) {
    this.#n += 1
    this.#second += this.#pace
    const line: TraceExchange = {
      line: 'exchange',
      seq: this.#n,
      n: this.#n,
      ticket: this.#n,
      for: 'shared',
      attempt: 1,
      operation: 'any',
      phase: 'act',
      method,
      below: 'api',
      path: `/iam/v2beta1/${path}`,
      query: query ?? [],
      credential: 'good',
      sent: this.#second * 1000,
      answered: this.#second * 1000 + 10,
      wall: at(this.#second),
      status: 200,
      headers: { 'content-type': 'application/json' },
      text: JSON.stringify(answer),
      ...(body !== undefined && { body }),
      ...more,
    }
    this.#hearing.take(line)
  }

  #times(second: number) {
    return { createTime: at(second), updateTime: at(second) }
  }

  #group() {
    return { uid: home, name: 'home', description: '', resourceLimits: {}, verified: false, ...this.#times(6) }
  }

  #identity(uid: string) {
    const second = uid === first ? 12 : 18
    return { uid, name: 'one', claimMatch: this.#claims(uid), ...this.#times(second), lastSeenTime: at(second) }
  }

  #binding(identity: string, role: string) {
    return {
      uid: binding,
      createTime: at(24),
      group: { uid: home, name: 'home', description: '' },
      identity: { uid: identity, name: 'one', ...this.#claims(identity) },
      role: { uid: role, name: 'a role' },
    }
  }

  update(body: Record<string, unknown>, shows: [identity: string, role: string], mask?: string) {
    const query: [string, string][] | undefined = mask === undefined ? undefined : [['updateMask', mask]]
    this.#send('PATCH', `roleBindings/${binding}`, body, this.#binding(...shows), query)
  }

  list(shows?: [identity: string, role: string], lacks?: 'identity') {
    this.listOf(...(shows ? [{ ...this.#binding(...shows), ...(lacks && { [lacks]: undefined }) }] : []))
  }

  get(shows: [identity: string, role: string], operation = 'roleBinding.get') {
    this.#send('GET', `roleBindings/${binding}`, undefined, this.#binding(...shows), undefined, { operation })
  }

  /** Lists no groups for an identity that was assumed, above the group that the run made. */
  listGroupsAs(uid: string) {
    const token = `token of ${uid}`
    const claims = { iss: 'https://issuer.example', sub: `subject of ${uid}` }
    const identity = { claims, token: `identity ${token}`, form: 'usual', signed: true }
    const exchange = { below: 'auth', path: '/sts/exchange', credential: 'open', issued: token, identity } as const
    this.#send(
      'GET',
      '',
      undefined,
      { token: '…' },
      [
        ['aud', 'here'],
        ['identity', uid],
      ],
      exchange,
    )
    const answer = { groups: [], nextPageToken: '', totalCount: '0', skipped: 0 }
    this.#send('GET', 'groups', undefined, answer, [['uidp.children_of', home]], { credential: `token: ${token}` })
  }

  makeChild() {
    const child = { ...this.#group(), uid: uidOf('f'), name: 'child' }
    this.#send('POST', `groups/${home}`, { name: 'child' }, child)
  }

  listRole(uid: string) {
    const role = { uid, name: 'a role', description: '', ...this.#times(6) }
    this.#send('GET', 'roles', undefined, { roles: [role], nextPageToken: '', totalCount: '1', skipped: 0 })
  }

  /** Gives the second identity a role, by a binding in the same group. */
  bindSecond(role: string) {
    const bound = { ...this.#binding(second, role), uid: uidOf('9') }
    this.#send('POST', `roleBindings/${home}`, { identityUid: second, roleUid: role }, bound)
  }

  deleteIdentity(uid: string) {
    this.#send('DELETE', `identities/${uid}`, undefined, {})
  }

  /** Binds an identity with another role, by a call sent so many milliseconds after the last answer. */
  bindAgain(identity: string, after: number): object {
    const [body, bound] = [
      { identityUid: identity, roleUid: editor },
      { ...this.#binding(identity, editor), uid: uidOf(identity === first ? '8' : '9') },
    ]
    const sent = this.#second * 1000 + 10 + after
    this.#send('POST', `roleBindings/${home}`, body, bound, undefined, { sent, answered: sent + 10 })
    return bound
  }

  listOf(...roleBindings: object[]) {
    const answer = { roleBindings, nextPageToken: '', totalCount: String(roleBindings.length), skipped: 0 }
    this.#send('GET', 'roleBindings', undefined, answer, [['uidp.children_of', home]])
  }
}

const after = (act: (run: Run) => void, pace?: number) => {
  const run = new Run(pace)
  act(run)
  return run
}

const found = (act: (run: Run) => void, pace?: number) => after(act, pace).found

test('a role binding shows what its last update answered', () => {
  const moved = (run: Run) => run.update({ identityUid: second, roleUid: editor }, [second, editor])

  expect(found((run) => [moved(run), run.list([second, editor])])).toEqual([])
  expect(found((run) => [moved(run), run.list([first, editor])])).toEqual(['model.roleBinding.update'])
  expect(found((run) => [moved(run), run.list([second, viewer])])).toEqual(['model.roleBinding.update'])
})

test('each protocol may lag on its own (R52)', () => {
  const readFirst = (operation: string) => (run: Run) => {
    run.update({ roleUid: editor }, [first, editor])
    run.get([first, editor], operation)
    run.get([first, viewer])
    run.get([first, editor])
  }

  expect(found(readFirst('grpc.roleBinding.get'), 0.5)).toEqual([])
  expect(found(readFirst('roleBinding.get'), 0.5)).toEqual(['model.roleBinding.update'])
})

test('an update that is answered without effect, or a mask that leaves it out, binds nothing else', () => {
  const body = { identityUid: second }

  expect(found((run) => [run.update(body, [first, viewer]), run.list([first, viewer])])).toEqual([])
  expect(found((run) => [run.update(body, [first, viewer], 'roleUid'), run.list([second, viewer])])).toEqual([
    'model.roleBinding.update',
  ])
})

test('a role binding goes with the identity that it has now, and with no other', () => {
  const moved = (run: Run) => run.update({ identityUid: second }, [second, viewer])

  expect(found((run) => [moved(run), run.list([second, viewer]), run.deleteIdentity(first), run.list()])).toContain(
    'model.roleBinding.members',
  )
  expect(
    found((run) => [moved(run), run.list([second, viewer]), run.deleteIdentity(first), run.list([second, viewer])]),
  ).toEqual([])
  expect(
    found((run) => [moved(run), run.list([second, viewer]), run.deleteIdentity(second), run.list([second, viewer])]),
  ).toEqual(['model.roleBinding.orphan'])
  expect(found((run) => [moved(run), run.deleteIdentity(second), run.list()])).toEqual([])
})

test('a role binding may outlive an identity that the target still binds after its delete (R52)', () => {
  const raced = (run: Run) => {
    run.deleteIdentity(first)
    run.listOf(run.bindAgain(first, -5))
  }
  const boundLate = (run: Run) => {
    run.deleteIdentity(second)
    run.bindAgain(second, 1000)
  }

  expect(found(raced)).toEqual(['model.roleBinding.orphan'])
  expect(found((run) => [raced(run), boundLate(run)])).toEqual([])
})

test('a list may show a role binding without its identity only while that is new (R52)', () => {
  const lacking = (run: Run) => run.list([first, viewer], 'identity')

  expect(found((run) => [lacking(run), run.list([first, viewer])], 0.5)).toEqual([])
  expect(found(lacking)).toEqual(['model.roleBinding.embedded'])
})

test('a list for an assumed identity is judged only where it has a role (R41)', () => {
  expect(after((run) => [run.makeChild(), run.listGroupsAs(second)]).rows).toEqual([])
  expect(after((run) => [run.makeChild(), run.listGroupsAs(first)]).rows).toContain('model.group.members')
})

test('a role has the uid of something else only where a list shows such a role (S2.1, R38)', () => {
  expect(found((run) => run.bindSecond(first))).toEqual(['model.roleBinding.refusal'])
  expect(found((run) => [run.listRole(first), run.bindSecond(first)])).toEqual([])
})
