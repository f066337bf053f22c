import { UnsecuredJWT } from 'jose'
import { describe, expect, test } from 'vitest'
import type { Clock } from '../../helpers/api/clock.ts'
import { cut } from '../../helpers/api/names.ts'
import { mayGoOn } from '../../helpers/api/received.ts'
import type { Answer } from '../../helpers/http/call.ts'
import { Inconclusive } from '../../helpers/http/case-errors.ts'
import { queryString } from '../../helpers/http/url.ts'
import { livesAnHour } from '../../helpers/sts/token-lifetime.ts'

describe('a list of v1 may go on (R44)', () => {
  const items = [{ id: 'a', nextToken: 'of the item itself' }]

  test.each<[Record<string, unknown>, Record<string, string>?]>([
    [{ nextPageToken: 'b' }],
    [{ hasMore: true }],
    [{ page: { next_cursor: 'b' } }],
    [{ links: [{ rel: 'next', href: '/b' }] }],
    [{ totalElements: 2 }],
    [{ total: '2' }],
    [{ totalPages: 2 }],
    [{}, { link: '</iam/v1/groups?page=2>; rel="next"' }],
    [{}, { link: '</a>; rel=prev, </b>; rel=next' }],
    [{}, { 'x-next-page': '2' }],
    [{}, { 'x-total-count': '30' }],
    [{}, { 'x-continuation-token': 'b' }],
  ])('where the body is %o and the headers are %o', (body, headers) => {
    expect(mayGoOn({ items, ...body }, headers)).toBe(true)
  })

  test.each<[Record<string, unknown>, Record<string, string>?]>([
    [{}],
    [{ nextPageToken: '', hasMore: false, total: 1, totalPages: 1, links: {} }],
    [{ kind: 'List', account: 17 }],
    [{}, { link: '</iam/v2beta1>; rel="successor-version"' }],
    [{}, { 'x-next-page': '', 'x-total-count': '1', 'x-csrf-token': 'b', 'x-nextjs-cache': 'HIT' }],
  ])('but not where it is %o and they are %o', (body, headers) => {
    expect(mayGoOn({ items, ...body }, headers)).toBe(false)
  })
})

describe('the lifetime in an API token (R40)', () => {
  const issue = Date.UTC(2026, 0, 1) / 1000
  /** Judges a token that was issued then; without a date, no clock of the target is known. */
  const judge = (iat: number | undefined, exp: number, date?: number) => {
    const claims = new UnsecuredJWT({ exp, ...(iat === undefined ? {} : { iat }) })
    const headers = date === undefined ? {} : { date: new Date(date * 1000).toUTCString() }
    const json = { token: claims.encode() }
    const exchange = { number: 1, request: { method: 'GET', url: '/' } }
    const answer = { status: 200, headers, json, text: '', exchange } as unknown as Answer
    livesAnHour(answer, { movable: false, lastKnown: () => undefined } as unknown as Clock)
  }

  test('fits by its own times, or by the clock of the target', () => {
    judge(issue, issue + 3_600)
    judge(issue - 300, issue + 3_600, issue)
    judge(undefined, issue + 3_650, issue)
  })

  test('is open where no clock is known that could explain it', () => {
    for (const [iat, exp] of [
      [issue, issue + 3_601],
      [issue - 600, issue + 3_600],
      [undefined, issue + 3_600],
    ] as const)
      expect(() => judge(iat, exp)).toThrow(Inconclusive)
  })

  test.for<[Parameters<typeof judge>, string]>([
    [[issue, issue + 3_700, issue], 'exp - iat of 3700, exp 3700 s ahead'],
    [[issue, issue + 86_400], 'exp - iat of 86400, no clock of the target'],
    [[issue, issue + 900], 'exp - iat of 900, no clock'],
    [[undefined, issue + 900, issue], 'no iat, exp 900 s ahead'],
  ])('is wrong where a clock shows it, or none could explain it: %o', ([times, got]) => {
    const claim = { got: expect.stringContaining(got) }
    expect(() => judge(...times)).toThrow(expect.objectContaining({ claim: expect.objectContaining(claim) }))
  })
})

test('a text is cut between characters, and half a character does not keep it from being sent', () => {
  expect([cut('角色🙂', 0, -1), cut('🙂ab', 1), cut('', 0, -1)]).toEqual(['角色', 'ab', ''])
  expect(queryString({ name: '角色🙂'.slice(0, -1) })).toBe(`?name=${encodeURIComponent('角色\ufffd')}`)
})
