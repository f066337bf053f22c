import { expect, test } from 'vitest'
import { Hearing } from '../../helpers/trace/hearing.ts'
import type { TraceExchange } from '../../schemas/types.ts'
import { listed } from './listed.ts'

const home = `${'a'.repeat(40)}/${'b'.repeat(16)}`
const root = `${home}/${'c'.repeat(16)}`
const [one, other, reader] = ['1', '2', '3'].map((digit) => `${root}/${digit.repeat(16)}`) as [string, string, string]
const time = new Date(Date.UTC(2026, 0, 1)).toISOString()
const claimMatch = { issuer: 'https://issuer.example', subject: 'reader' }
const common = { description: '', createTime: time, updateTime: time }
const group = (uid: string) => ({ uid, name: `name ${uid.at(-1)}`, resourceLimits: {}, verified: false, ...common })
const identity = (uid: string) => ({ uid, name: `name${uid.at(-1)}`, claimMatch, lastSeenTime: time, ...common })

/** A group with two groups and two identities, one of which has two roles and is assumed. */
class Run {
  readonly #hearing = new Hearing('v2beta1', 5000)
  #n = 0
  #now = 0

  constructor() {
    this.#create('group', home, group(root))
    for (const uid of [one, other]) this.#create('group', root, group(uid))
    for (const uid of [reader, `${root}/${'4'.repeat(16)}`]) this.#create('identity', root, identity(uid))
    this.#bind(root, 'viewer')
    const path = '/sts/exchange'
    const query: [string, string][] = [['identity', reader]]
    this.#exchange({ operation: 'sts.exchange', below: 'auth', path, query, credential: 'open', issued: 'token 1' })
    this.#now += 20_000
  }

  get found() {
    return this.#hearing.rows().filter((row) => this.#hearing.found(row).length > 0)
  }

  /** The identity gets a role in a group below. */
  bindBelow() {
    this.#bind(one, 'admin')
    this.#now += 20_000
  }

  list(kind: 'groups' | 'identities', uids: readonly string[], scope: string, credential: string) {
    const items = uids.map((uid) => (kind === 'groups' ? group(uid) : identity(uid)))
    const text = JSON.stringify({ [kind]: items, totalCount: String(items.length), skipped: 0 })
    const [operation, path] = [kind === 'groups' ? 'group.list' : 'identity.list', `/iam/v2beta1/${kind}`]
    this.#exchange({ operation, path, query: [['uidp.descendants_of', scope]], credential, text })
  }

  /** Lists the groups in the group in v1. */
  listInV1(uids: readonly string[], credential: string) {
    const items = uids.map((id) => ({ id, name: `name ${id.at(-1)}`, createdAt: time, updatedAt: time }))
    const [operation, path, text] = ['v1.group.list', '/iam/v1/groups', JSON.stringify({ items })]
    this.#exchange({ operation, path, query: [['uidp.children_of', root]], credential, text })
  }

  identityBelow(uid: string) {
    this.#create('identity', one, identity(uid))
    this.#now += 20_000
  }

  #bind(parent: string, roleUid: string) {
    const uid = `${parent}/${roleUid === 'viewer' ? '5'.repeat(16) : '6'.repeat(16)}`
    const parts = { identity: { ...identity(reader), ...claimMatch }, group: group(parent), role: { uid: roleUid } }
    this.#create('roleBinding', parent, { uid, ...parts, createTime: time }, { identityUid: reader, roleUid })
  }

  #create(name: string, parent: string, shown: object, body: object = shown) {
    const plural = name === 'identity' ? 'identities' : `${name}s`
    const path = `/iam/v2beta1/${plural}/${parent}`
    const sent = Object.fromEntries(
      Object.entries(body).filter(([member]) => /^(name|claimMatch|identityUid|roleUid)$/.test(member)),
    )
    this.#exchange({ operation: `${name}.create`, method: 'POST', path, body: sent, text: JSON.stringify(shown) })
  }

  #exchange(line: Partial<TraceExchange>) {
    this.#n += 1
    this.#now += 100
    this.#hearing.take({ ...listed(this.#n, this.#now), ...line })
  }
}

const assumed = 'token: token 1'

test('without an order, each caller has one of its own', () => {
  const run = new Run()
  run.list('groups', [one, other], root, 'good')
  run.list('groups', [other, one], root, assumed)
  expect(run.found).toEqual([])
  run.list('groups', [one, other], root, assumed)
  expect(run.found).toEqual(['model.group.order'])
})

test('what a role covers is known once a list has shown all to the same roles', () => {
  const run = new Run()
  run.bindBelow()
  const [inner, last] = ['7', '8'].map((digit) => `${one}/${digit.repeat(16)}`) as [string, string]
  for (const uid of [inner, last]) run.identityBelow(uid)
  const fourth = `${root}/${'4'.repeat(16)}`
  // the role below covers them, the one above need not
  run.list('identities', [inner, last], one, assumed)
  run.list('identities', [inner, last], root, assumed)
  expect(run.found).toEqual([])
  run.list('identities', [reader, fourth, inner, last], root, assumed)
  expect(run.found).toContain('model.identity.members')
})

test('what a role covers in v1 is known once a list of v1 has shown all', () => {
  const run = new Run()
  run.list('groups', [one, other], root, assumed)
  run.listInV1([one], assumed)
  expect(run.found).toEqual([])
  run.listInV1([one, other], assumed)
  run.listInV1([one], assumed)
  expect(run.found).toEqual(['model.v1.members'])
})
