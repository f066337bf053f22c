import { expect, test } from 'vitest'
import { partOfError } from '../../helpers/assertions/refused.ts'
import type { Answer } from '../../helpers/http/call.ts'
import { exchange } from '../support/sample-report.ts'

test('a part of an error is shown with what the error has instead', () => {
  const details = [{ '@type': 'type.googleapis.com/google.rpc.ErrorInfo' }, 'a text']
  const about = (json: unknown) => partOfError('the violations', { json, exchange: exchange('', 7) } as Answer)

  expect(about({ code: 9, details })).toBe('the violations: the error has ErrorInfo and another, in exchange 7')
  expect(about('no error')).toBe('the violations: the error has no details, in exchange 7')
})
