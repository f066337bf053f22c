import { expect, test } from 'vitest'
import { sameOverBoth } from '../../helpers/assertions/both-protocols.ts'

const role = { uid: 'e7', name: 'viewer', description: '' }
const binding = { uid: 'ab/cd', identity: { uid: 'ab/1f', name: 'ci' }, role }
const shows = (part: object) => () => sameOverBoth('roleBindings', { ...binding, ...part }, binding)

test('A role may be renamed and described between a call over HTTP and one over gRPC', () => {
  expect(shows({ role: { ...role, name: 'reader', description: 'Reads.' } })).not.toThrow()
})

test.each([
  ['another role', { role: { ...role, uid: 'e8' } }],
  ['a role without its name', { role: { uid: 'e7' } }],
  ['no role', { role: undefined }],
  ['an identity with another name', { identity: { uid: 'ab/1f', name: 'cd' } }],
])('A binding over gRPC that embeds %s differs', (_, part) => {
  expect(shows(part)).toThrow('differs between gRPC and HTTP')
})
