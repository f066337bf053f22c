import { randomBytes } from 'node:crypto'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { Secrets } from '../../helpers/http/secrets.ts'
import { codings } from '../support/secrets/codings.ts'

const secret = fc
  .string({
    unit: fc.constantFrom(...'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_.~+/="\\ '),
    minLength: 24,
    maxLength: 900,
  })
  .filter((text) => new Set(text).size > 8)
const around = fc.string({ unit: 'binary', maxLength: 60 })

describe.each(Object.entries(codings))('what is echoed %s', (_name, code) => {
  test('is not shown, whatever part of 16 bytes and more it is', () => {
    fc.assert(
      fc.property(secret, around, around, fc.nat(), fc.nat(), (value, before, after, from, more) => {
        const start = from % (value.length - 15)
        const part = value.slice(start, start + 16 + (more % (value.length - start - 15)))
        const secrets = new Secrets()
        secrets.hide(value, '<it>')
        const shown = secrets.redact(before + code(part) + after)

        expect(shown).toContain('<it>')
        for (let at = 0; at + 16 <= code(part).length; at++) {
          const run = code(part).slice(at, at + 16)
          if (!before.includes(run) && !after.includes(run)) expect(shown).not.toContain(run)
        }
      }),
      { numRuns: 60, seed: 1 },
    )
  })
})

test('what holds no secret stays as it is', () => {
  fc.assert(
    fc.property(secret, fc.string({ unit: 'binary', maxLength: 400 }), (value, text) => {
      const secrets = new Secrets()
      secrets.hide(value, '<it>')
      expect(secrets.redact(text)).toBe(text)
    }),
    { numRuns: 200, seed: 2 },
  )
})

test.each(['secret', 'secret-token', 'short & "odd"'])(
  'a secret shorter than 16, %s, goes as a whole, in each coding',
  (value) => {
    const secrets = new Secrets()
    secrets.hide(value, '<it>')
    for (const [name, code] of Object.entries(codings))
      expect(secrets.redact(`a ${code(value)} b`), name).toContain('<it>')
    expect(secrets.redact(`its beginning, ${value.slice(0, 5)}, may be shown`)).toContain(value.slice(0, 5))
  },
)

test('a run of one letter is no part of a secret, wherever it is', () => {
  const secrets = new Secrets()
  secrets.hide(`eyJhbGciOiJFUzI1NiJ9.eyJzdWIiOiJzb21lYm9keSJ9.${'A'.repeat(86)}`, '<forged>')

  const text = `a name with a long tail: ${'a'.repeat(80)} ${'A'.repeat(80)}`
  expect(secrets.redact(text)).toBe(text)
  expect(secrets.redact('eyJhbGciOiJFUzI1NiJ9.eyJzdWIiOiJzb21lYm9keSJ9')).toBe('<forged>')
})

test("of the suite's own token a page token may share claims, and nothing its signature", () => {
  const secrets = new Secrets()
  const [claims, signature] = ['eyJzdWIiOiJub2JvZHkgYmVmb3JlIn0', randomBytes(32).toString('base64url')]
  const token = `eyJhbGciOiJSUzI1NiJ9.${claims}.${signature}`
  secrets.hideSignature(token, '<it>')

  expect(secrets.redact(`page_token=${claims}`)).toContain(claims)
  expect(secrets.redact(`Bearer ${token}`)).toBe('Bearer <it>')
  expect(secrets.redact(`.${signature.slice(3, 19)}.`)).toBe('.<it>.')
})

test('a page token may share a uid and a time with the token of the operator, and no other run of 16', () => {
  const secrets = new Secrets()
  const encode = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url')
  const uid = `${'3f'.repeat(20)}/1f2e3d4c5b6a7988`
  const claims = { sub: uid, iat: 1_795_731_815, email: 'somebody.of@operations.example', exp: 1_795_735_415 }
  const token = `${encode({ alg: 'RS256', kid: 'main' })}.${encode(claims)}.${randomBytes(256).toString('base64url')}`
  secrets.hide(token, '$IT')

  for (const last of [{ sub: uid, issuedAt: 1_795_731_815_123 }, { uid, made: 1_795_731_815 }, { after: uid }])
    expect(secrets.redact(encode(last))).toBe(encode(last))
  expect(secrets.redact(`Bearer ${token}.`)).toBe('Bearer $IT.')
  const [hidden, begin] = [secrets.redact(token.slice(40, 200)), token.indexOf('.') + 1]
  const email = begin + Math.ceil((JSON.stringify(claims).indexOf('somebody') * 4) / 3)
  expect(hidden).toContain('$IT')
  for (let at = email; at + 16 < email + 36; at++) {
    expect(hidden).not.toContain(token.slice(at, at + 16))
    expect(secrets.redact(token.slice(at, at + 16))).toBe('$IT')
  }
})

test('the whole of a secret is its name, and no more than that', () => {
  const secrets = new Secrets()
  secrets.hide('tok/en+with=odd"signs', '$A')
  secrets.hide('another-token-that-is-longer', '$B')

  expect(secrets.redact('Bearer tok/en+with=odd"signs, another-token-that-is-longer.')).toBe('Bearer $A, $B.')
  expect(secrets.redact('?t=tok%2Fen%2Bwith%3Dodd%22signs&a=1')).toBe('?t=$A&a=1')
})

test('of tokens that begin alike each goes as a whole', () => {
  const secrets = new Secrets()
  const head = 'eyJhbGciOiJSUzI1NiIsInR5cCI6IkpXVCJ9.'
  const tokens = Array.from({ length: 300 }, () => head + randomBytes(300).toString('base64url'))
  for (const [index, token] of tokens.entries()) secrets.hide(token, `<${index}>`)

  for (const [index, token] of tokens.entries())
    expect(secrets.redact(`{"token":"${token}"}`)).toBe(`{"token":"<${index}>"}`)
})

test('a megabyte is read in a few milliseconds', () => {
  const secrets = new Secrets()
  for (let index = 0; index < 200; index++) secrets.hide(randomBytes(400).toString('base64url'), `<${index}>`)
  const text = JSON.stringify(
    Array.from({ length: 12_000 }, () => ({ uid: randomBytes(20).toString('hex'), name: 'a\\b' })),
  )
  secrets.redact(text)
  const started = performance.now()
  for (let index = 0; index < 5; index++) secrets.redact(text)

  expect((performance.now() - started) / 5).toBeLessThan(2_000)
})
