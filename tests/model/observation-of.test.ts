import { expect, test } from 'vitest'
import { observationOf } from '../../helpers/trace/observation-of.ts'
import { listed } from './listed.ts'

/** A list that was answered with the headers of a transcoder. */
const transcoded = {
  ...listed(1, 1_000),
  headers: { 'content-type': 'application/json', 'grpc-status': '0' },
}

test('an answer is one over gRPC if the call was, whatever headers it has', () => {
  expect(observationOf(transcoded, 0).over).toBeUndefined()
  expect(observationOf({ ...transcoded, over: 'grpc' }, 0).over).toBe('grpc')
})
