import { expect, test } from 'vitest'
import type { Exchange } from '../../helpers/http/exchange.ts'
import { toConsole } from '../../reports/formats/console.ts'
import type { Row } from '../../reports/judge/outcome.ts'
import { missingIn } from '../../reports/model/claims.ts'
import { exchange, reportWith, row } from '../support/sample-report.ts'

const home = '00000000aa/bb01'

const call = (number: number, method: string, path: string, status = 200, operation = 'group.get'): Exchange => ({
  ...exchange('', number),
  operation,
  request: { method, url: `http://127.0.0.1:1/${path}`, headers: {} },
  response: { status, headers: {}, body: '{}', bytes: 2 },
})

const failing = (id: string, exchanges: Exchange[], said: Partial<Row> = {}): Row => ({
  ...row(''),
  header: { ...row('').header, id },
  exchanges,
  where: `exchange ${exchanges.at(-1)!.number}`,
  ...said,
})

/** The paths of the calls that the console shows, the deciding one first. */
const shown = (one: Row) =>
  [...toConsole(reportWith([one]), false).matchAll(/'http:\/\/127\.0\.0\.1:1\/(\S+)'/g)].map(([, path]) => path)

test('a reading that names a thing is shown with the write that succeeded on it, and the last one', () => {
  const calls = [
    call(1, 'DELETE', `groups/${home}`),
    call(2, 'PATCH', `groups/${home}`, 404),
    call(3, 'POST', 'groups/00000000aa'),
    call(4, 'GET', 'groups?name=x'),
  ]

  expect(shown(failing('model.group.members', calls, { expected: `not ${home}`, got: home }))).toEqual([
    'groups?name=x',
    `groups/${home}`,
    `groups/${home}`,
  ])
})

test('a page that contradicts an earlier one is shown with it, and with no write', () => {
  const calls = [call(1, 'GET', 'groups?page_size=3'), call(2, 'POST', 'groups/a'), call(3, 'GET', 'groups?skip=1')]
  const said = { expected: 'a at position 1, as exchange 1 showed with page_size=3', got: 'position 0' }

  expect(shown(failing('model.group.order', calls, said))).toEqual(['groups?skip=1', 'groups?page_size=3'])
  expect(shown(failing('model.group.order', calls, { expected: 'a', got: 'b' }))).toEqual(['groups?skip=1'])
})

test('over gRPC the call over gRPC decides, and the last one over HTTP is what it is compared with', () => {
  const calls = [call(1, 'GET', 'over-grpc', 200, 'grpc.role.list'), call(2, 'GET', 'over-http', 200, 'role.list')]

  expect(shown(failing('grpc.list.total', calls, { where: 'specs/a.spec.ts:1' }))).toEqual(['over-grpc', 'over-http'])
})

test('a failure names the command that explains it, and why a row of the model needs the whole run', () => {
  const one = failing('model.group.order', [call(1, 'GET', 'a')])
  const printed = toConsole(reportWith([{ ...one, header: { ...one.header, alone: 'whole run' } }]), false)

  expect(printed).toMatch(/explain +npx --no-install rmapi-conformance explain model\.group\.order/)
  expect(printed).toContain('the whole run, as it judges every call')
})

test('what is not offered is one line by how that was seen', () => {
  const missing = (operations: string) => ({
    ...reportWith([row('', 'pass')]).requirements[0]!,
    note: `this target does not offer ${operations}: it was answered 405`,
  })

  expect(missingIn([missing('role.get or role.list'), missing('role.list')])).toMatchObject([
    { seen: 'it was answered 405', operations: ['role.get', 'role.list'] },
  ])
})
