import { expect, test } from 'vitest'
import { Secrets } from '../../helpers/http/secrets.ts'
import { concealTokens } from '../../helpers/sts/api-token.ts'

const escaped = (text: string) => Array.from(text, (letter) => `\\u00${letter.charCodeAt(0).toString(16)}`).join('')

test('a token that is written in escapes hides no escapes of other texts', () => {
  const secrets = new Secrets()
  const token = 'opaque-9f8e7d6c5b4a39281706f5e4d3c2b1a0'
  concealTokens(`{"token":"${escaped(token)}"}`, { secrets })

  const time = `{"createTime":"${escaped('2026-11-30T10:00:00.000Z')}"}`
  expect(secrets.redact(time)).toBe(time)
  expect(secrets.redact(`a ${token} b`)).toBe('a <exchanged API token> b')
  expect(secrets.redact(`a ${escaped(token)} b`)).toBe('a <exchanged API token> b')
})

test('a quotation mark in an escape ends no token', () => {
  const secrets = new Secrets()
  concealTokens('{"token":"first half of it\\u0022second half of it\\/"}', { secrets })

  expect(secrets.redact('second half of it/')).not.toContain('second half')
})
