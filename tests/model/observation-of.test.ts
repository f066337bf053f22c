import { expect, test } from 'vitest'
import { observationOf } from '../../helpers/trace/observation-of.ts'
import type { TraceExchange } from '../../schemas/types.ts'

/** A list that was answered with the headers of a transcoder. */
const listed: TraceExchange = {
  line: 'exchange',
  seq: 1,
  n: 1,
  ticket: 1,
  for: 'shared',
  attempt: 1,
  operation: 'group.list',
  phase: 'act',
  method: 'GET',
  below: 'api',
  path: '/iam/v2beta1/groups',
  query: [],
  credential: 'good',
  sent: 1_000,
  answered: 1_010,
  wall: new Date(Date.UTC(2026, 0, 1)).toISOString(),
  status: 200,
  headers: { 'content-type': 'application/json', 'grpc-status': '0' },
  text: '{"groups":[]}',
}

test('an answer is one over gRPC if the call was, whatever headers it has', () => {
  expect(observationOf(listed, 0).over).toBeUndefined()
  expect(observationOf({ ...listed, over: 'grpc' }, 0).over).toBe('grpc')
})
