import { expect, test } from 'vitest'
import { Hearing } from '../../helpers/trace/hearing.ts'
import type { TraceExchange } from '../../schemas/types.ts'
import { listed } from './listed.ts'

const organization = 'a'.repeat(40)
const home = `${organization}/${'b'.repeat(16)}`
const child = `${home}/${'c'.repeat(16)}`
const at = (second: number) => new Date(Date.UTC(2026, 0, 1) + second * 1000).toISOString()

const group = (uid: string, name: string, second: number) =>
  JSON.stringify({
    ...{ uid, name, description: '', resourceLimits: {}, verified: false },
    ...{ createTime: at(second), updateTime: at(second) },
  })

/** What the model says of the calls of a run that made a group with a child, each a quarter of an hour after the last. */
function said(...calls: Partial<TraceExchange>[]) {
  const hearing = new Hearing('v2beta1', 5000, {})
  const made = [
    {
      method: 'POST',
      path: `/iam/v2beta1/groups/${organization}`,
      body: { name: 'home' },
      text: group(home, 'home', 900),
    },
    { method: 'POST', path: `/iam/v2beta1/groups/${home}`, body: { name: 'child' }, text: group(child, 'child', 1800) },
  ]
  for (const [index, call] of [...made, ...calls].entries()) {
    const [n, second] = [index + 1, (index + 1) * 900]
    hearing.take({ ...listed(n, second * 1000), operation: 'any', text: '{}', ...call })
  }
  return hearing
    .rows()
    .flatMap((row) => hearing.found(row).map(({ finding: { expected, got } }) => ({ row, expected, got })))
}

test('a total is said with what it counts', () => {
  const list = { groups: [], totalCount: '3', skipped: 0 }
  const query: [string, string][] = [
    ['uidp.children_of', home],
    ['name', 'nobody'],
  ]

  expect(said({ query, text: JSON.stringify(list) })).toContainEqual({
    row: 'model.group.total',
    expected: `totalCount "0", the number of those named "nobody" directly below ${home}`,
    got: 'totalCount "3"',
  })
})

test('a list that shows another name is in order by that one', () => {
  const [one, other] = ['d', 'e'].map((digit) => `${home}/${digit.repeat(16)}`) as [string, string]
  const make = (uid: string, name: string, second: number) => ({
    ...{ method: 'POST', path: `/iam/v2beta1/groups/${home}`, body: { name }, text: group(uid, name, second) },
  })
  const list = (name: string) => `{"groups":[${group(one, name, 2700)},${group(other, 'kobe', 3600)}],"totalCount":"2"}`
  const query: [string, string][] = [
    ['uidp.children_of', home],
    ['order_by', 'name'],
  ]
  const rows = (name: string) =>
    said(
      { method: 'DELETE', path: `/iam/v2beta1/groups/${child}` },
      ...[make(one, 'pomu', 2700), make(other, 'kobe', 3600), { query, text: list(name) }],
    ).map(({ row }) => row)

  expect(rows('beki')).toEqual(['model.group.content'])
  expect(rows('pomu')).toEqual(['model.group.order'])
})

test('what a reading showed before is said where an older state comes back', () => {
  const get = (name: string) => ({ path: `/iam/v2beta1/groups/${child}`, text: group(child, name, 2700) })
  const change = { ...get('newer'), method: 'PATCH', body: { name: 'newer' } }

  expect(said(change, get('newer'), get('child'))).toContainEqual({
    row: 'model.group.content',
    expected: 'name "newer", as such a reading showed before (R52)',
    got: '"child"',
  })
})

test('what a role binding lacks is said', () => {
  const bind = (body: Record<string, unknown>) => ({ method: 'POST', path: `/iam/v2beta1/roleBindings/${home}`, body })
  const uid = `${home}/${'d'.repeat(16)}`
  const refusals = (body: Record<string, unknown>) =>
    said(bind(body)).filter(({ row }) => row === 'model.roleBinding.refusal')

  expect(refusals({ identityUid: uid, roleUid: '' })[0]?.expected).toBe('a refusal: its roleUid is no uid')
  expect(refusals({ identityUid: uid, roleUid: 'e'.repeat(40) })[0]?.expected).toBe(
    `a refusal: no identity has the uid ${uid}`,
  )
})

test('a role that a refused create left behind is said with that create', () => {
  const [name, uid] = ['made without a token', 'e'.repeat(40)]
  const create = { method: 'POST', path: `/iam/v2beta1/roles/${home}`, body: { name }, status: 401 }
  const roles = { roles: [{ uid, name, description: '' }], totalCount: '1', skipped: 0 }

  expect(
    said(
      { ...create, credential: 'no Authorization header' },
      { path: '/iam/v2beta1/roles', text: JSON.stringify(roles) },
    ),
  ).toContainEqual({
    row: 'model.role.credential',
    expected: `no "${name}", which the refused role.create of exchange 3 sent`,
    got: `the role ${uid} of that name`,
  })
})
