import { expect, test } from 'vitest'
import { Hearing } from '../../helpers/trace/hearing.ts'
import { listed } from './listed.ts'

const home = `${'a'.repeat(40)}/${'b'.repeat(16)}`
const root = `${home}/${'c'.repeat(16)}`
const uid = '8699763f-388c-4809'
const at = (seconds: number) => new Date(Date.UTC(2026, 0, 1) + 1000 * seconds).toISOString()

const identity = (name: string, createTime: string) => ({
  uid,
  name,
  description: '',
  claimMatch: { issuer: 'https://issuer.example', subject: name },
  lastSeenTime: createTime,
  createTime,
  updateTime: createTime,
})

/** What is found where an identity is deleted, and a Get of its uid shows this a minute later. */
function foundWith(shown: object): string[] {
  const hearing = new Hearing('v2beta1', 5000)
  let n = 0
  const hear = (sent: number, exchange: object) => hearing.take({ ...listed(++n, sent), ...exchange })
  const create = { method: 'POST', body: { name: 'root' }, operation: 'group.create' }
  const members = { description: '', resourceLimits: {}, verified: false, createTime: at(0), updateTime: at(0) }
  const [groups, identities] = ['/iam/v2beta1/groups', '/iam/v2beta1/identities']
  hear(0, { ...create, path: `${groups}/${home}`, text: JSON.stringify({ uid: root, name: 'root', ...members }) })
  const { claimMatch } = identity('own', at(1))
  hear(1_000, {
    method: 'POST',
    operation: 'identity.create',
    path: `${identities}/${root}`,
    body: { name: 'own', claimMatch },
    text: JSON.stringify(identity('own', at(1))),
  })
  hear(2_000, { method: 'DELETE', operation: 'identity.delete', path: `${identities}/${uid}`, text: '' })
  hear(60_000, { operation: 'identity.get', path: `${identities}/${uid}`, text: JSON.stringify(shown) })
  return hearing.rows().filter((row) => hearing.found(row).length > 0)
}

test('something of the target’s own may get the uid of a deleted identity (R28, R50)', () => {
  expect(foundWith(identity('default', at(40)))).toEqual([])
})

test.each([
  ['as old as it was', identity('default', at(1))],
  ['under its own name', identity('own', at(40))],
])('the deleted identity itself may not come back: %s', (_, shown) => {
  expect(foundWith(shown)).not.toEqual([])
})
