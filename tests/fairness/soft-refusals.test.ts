import { describe, expect, test } from 'vitest'
import { ClaimIssuers } from '../../helpers/api/claim-issuers.ts'
import { Journal } from '../../helpers/api/journal.ts'
import { distrusted, isSoftRefusal, SecondChances } from '../../helpers/api/soft-refusal.ts'
import { accepted, refused } from '../../helpers/assertions/refused.ts'
import type { Answer, Call } from '../../helpers/http/call.ts'

const answer = (status: number, json: unknown = {}): Answer => ({
  status,
  json,
  text: JSON.stringify(json),
  headers: {},
  exchange: {
    number: 1,
    operation: 'group.get',
    phase: 'act',
    sentAt: new Date().toISOString(),
    ms: 1,
    request: { method: 'GET', url: '', headers: {} },
  },
})

const violating = (field: string, member = 'fieldViolations') =>
  answer(400, { code: 3, message: 'no', details: [{ '@type': 'x/google.rpc.BadRequest', [member]: [{ field }] }] })

describe('a soft refusal', () => {
  test.each([
    answer(403),
    answer(409),
    answer(429),
    answer(503),
    ...[6, 7, 8, 9, 10].map((code) => answer(400, { code })),
    violating('claimMatch.issuer'),
    violating('roleUid'),
    violating('role_uid', 'violations'),
  ])('is one for what the contract does not show: $status $text', (one) => {
    expect(isSoftRefusal(one)).toBe(true)
    expect(() => accepted(one, 'a call')).toThrow(expect.objectContaining({ name: 'Inconclusive' }))
  })

  test.each([answer(400), answer(400, { code: 3 }), answer(401), answer(404), answer(500), violating('name')])(
    'is no other: $status $text',
    (one) => {
      expect(isSoftRefusal(one)).toBe(false)
      expect(() => accepted(one, 'a call')).toThrow(expect.objectContaining({ name: 'AssertionError' }))
    },
  )

  test('is none that succeeds', () => {
    expect(isSoftRefusal(answer(200, { code: 7 }))).toBe(false)
    expect(() => accepted(answer(204), 'a call')).not.toThrow()
  })

  test('is judged where the case is about its code', () => {
    expect(() => accepted(answer(400, { code: 9 }), 'a call', [9])).toThrow('a call was refused')
  })

  test('of the patient kind is not the refusal that a case waits for', () => {
    expect(() => refused(answer(403), 'a call')).not.toThrow()
    for (const status of [429, 502, 503, 504]) {
      expect(() => refused(answer(status), 'a call')).toThrow(expect.objectContaining({ name: 'Inconclusive' }))
    }
  })

  test('says what is not trusted', () => {
    expect(distrusted(violating('claim_match.issuer'))).toBe('claimMatch')
    expect(distrusted(violating('roleUid'))).toBe('role')
    expect(distrusted(violating('name'))).toBeUndefined()
  })
})

/** Answers these in turn, and the last of them for ever. */
function answering(...answers: Answer[]) {
  let calls = 0
  return { call: async () => answers[Math.min(calls++, answers.length - 1)]!, calls: () => calls }
}

const call: Call = { operation: 'group.get', method: 'GET', path: '/iam/v2beta1/groups/1' }

const list: Call = { operation: 'group.list', method: 'GET', path: '/iam/v2beta1/groups' }

describe.concurrent('a second chance', () => {
  const lately = (within: number) => within === 5_000

  test('is given while rights spread, and from then on to whatever is new', async () => {
    const { call: send, calls } = answering(answer(403), answer(403), answer(200))
    const chances = new SecondChances({ readings: 0, rights: 5_000 }, () => true)
    chances.isTooEarly(call, answer(200), () => true)

    expect(chances.isTooEarly(call, answer(403), lately)).toBe(false)
    expect((await chances.allow(send)).status).toBe(200)
    expect(calls()).toBe(3)
    expect(chances.isTooEarly(call, answer(403), lately)).toBe(true)
    expect(chances.isTooEarly(call, answer(403), () => false)).toBe(false)
  })

  test('is given to each operation until something new shows that its rights do not spread', () => {
    const [prompt, lacking, spreading] = [0, 1, 2].map(
      () => new SecondChances({ readings: 0, rights: 5_000 }, () => true),
    )

    expect(prompt!.isTooEarly(call, answer(403), lately)).toBe(true)
    expect(prompt!.isTooEarly({ ...call }, answer(200), () => true)).toBe(false)
    expect(prompt!.isTooEarly({ ...call }, answer(403), lately)).toBe(false)

    expect(lacking!.isTooEarly(call, answer(403), lately)).toBe(true)
    expect(lacking!.isTooEarly(call, answer(403), () => false)).toBe(false)
    expect(lacking!.isTooEarly({ ...call }, answer(403), lately)).toBe(false)
    expect(lacking!.isTooEarly(list, answer(403), lately)).toBe(true)

    expect(spreading!.isTooEarly(call, answer(403), lately)).toBe(true)
    expect(spreading!.isTooEarly(call, answer(200), lately)).toBe(false)
    expect(spreading!.isTooEarly({ ...call }, answer(200), () => true)).toBe(false)
    expect(spreading!.isTooEarly({ ...call }, answer(403), lately)).toBe(true)
  })

  test('ends after its time, and is then given to no call of that operation', async () => {
    const chances = new SecondChances({ readings: 0, rights: 300 }, () => true)
    const { call: send, calls } = answering(answer(403))

    expect((await chances.allow(send)).status).toBe(403)
    const before = calls()
    await chances.allow(send)

    expect(before).toBeGreaterThan(1)
    expect(calls()).toBe(before + 1)
  })

  test('is given to a list that does not know its scope yet, until no list of that kind ever answered', () => {
    const chances = new SecondChances({ readings: 5_000, rights: 0 }, () => false)
    const isNew = (within: number) => within === 5_000

    expect(chances.isTooEarly(call, answer(404), isNew)).toBe(false)
    expect(chances.isTooEarly(list, answer(404), isNew)).toBe(true)
    expect(chances.isTooEarly(list, answer(404), () => false)).toBe(false)
    expect(chances.isTooEarly(list, answer(404), isNew)).toBe(false)
  })

  test('is given to a create in a group that the target does not know yet, not in anything else', () => {
    const chances = new SecondChances({ readings: 5_000, rights: 0 }, () => true)
    const create: Call = { operation: 'identity.create', method: 'POST', path: '/iam/v2beta1/identities/1' }

    expect(chances.isTooEarly(create, answer(404), (_, kind) => kind === 'groups')).toBe(true)
    expect(chances.isTooEarly(create, answer(404), (_, kind) => kind === undefined)).toBe(false)
    expect(chances.isTooEarly({ ...create, operation: 'identity.get' }, answer(404), () => true)).toBe(false)
  })

  test('is given to an Update or a Delete of anything that the target does not know yet', () => {
    const chances = new SecondChances({ readings: 5_000, rights: 0 }, () => true)
    const update: Call = { operation: 'roleBinding.delete', method: 'DELETE', path: '/iam/v2beta1/roleBindings/1' }

    expect(chances.isTooEarly(update, answer(404), (_, kind) => kind === undefined)).toBe(true)
    expect(chances.isTooEarly(update, answer(404), () => false)).toBe(false)
  })

  test('is given to a valid call that is invalid at first, and from then on to others like it', async () => {
    const unknown = violating('parent')
    const create: Call = { operation: 'identity.create', method: 'POST', path: '/iam/v2beta1/identities/1' }
    const chances = new SecondChances({ readings: 5_000, rights: 0 }, () => true)
    const { call: send, calls } = answering(unknown, answer(200))

    expect(chances.isTooEarly(create, unknown, () => true)).toBe(false)
    expect((await chances.allow(send, () => true)).status).toBe(200)
    expect(calls()).toBe(2)
    expect(chances.isTooEarly(create, unknown, () => true)).toBe(true)
    expect(chances.isTooEarly(create, violating('name'), () => true)).toBe(false)
  })

  test('is given to a call in which nothing else can be invalid', () => {
    const update: Call = { operation: 'group.update', method: 'PATCH', path: '/iam/v2beta1/groups/1' }
    const chances = new SecondChances({ readings: 5_000, rights: 0 }, () => true)

    expect(chances.isTooEarly(update, violating('uid'), () => true)).toBe(false)
    expect(chances.isTooEarly(update, violating('uid'), () => true, true)).toBe(true)
    expect(chances.isTooEarly(update, violating('uid'), () => false, true)).toBe(false)
    expect(chances.isTooEarly(update, violating('name'), () => true, true)).toBe(false)
    // what is accepted then shows that this target refuses so what is new
    expect(chances.isTooEarly(update, answer(200), () => true, true)).toBe(false)
    expect(chances.isTooEarly({ ...update }, violating('uid'), () => true)).toBe(true)
  })

  test('is given to creates and lists in the operator’s group when the run begins: it may be as new (R52)', () => {
    const journal = new Journal('operators')

    expect(journal.madeLately(['operators'], 5_000, 'groups')).toBe(true)
    expect(journal.madeLately(['operators'], 0, 'groups')).toBe(false)
    expect(journal.madeLately(['operators'], 5_000)).toBe(false)
  })

  test('is not given again where a valid call stayed invalid', async () => {
    const chances = new SecondChances({ readings: 5_000, rights: 0 }, () => true)
    const { call: send, calls } = answering(violating('description'))
    let looks = 0

    await chances.allow(send, () => looks++ < 2)
    expect(calls()).toBe(2)
    await chances.allow(send, () => true)
    expect(calls()).toBe(3)
  })

  test('is given again where it helped once, or where something else came in the place of an invalid call', async () => {
    const unknown = violating('parent')
    const chances = new SecondChances({ readings: 5_000, rights: 0 }, () => true)
    let looks = 0

    await chances.allow(answering(unknown, answer(429)).call, () => true)
    expect((await chances.allow(answering(unknown, answer(200)).call, () => true)).status).toBe(200)
    await chances.allow(answering(unknown).call, () => looks++ < 2)
    expect((await chances.allow(answering(unknown, answer(200)).call, () => true)).status).toBe(200)
  })
})

describe('the issuer of claim matches', () => {
  const taking = (issuer: string) => async (match: { issuer: string }) =>
    match.issuer.startsWith(issuer) ? answer(200) : violating('claimMatch.issuer')

  test.each([
    ['https://issuer.example/', 'https://issuer.example/n'],
    ['http://own', 'http://own'],
    ['https://operator', 'https://operator'],
    ['https://nobody', 'https://issuer.example/n'],
  ])('is the first that the target takes: %s', async (taken, expected) => {
    const issuers = new ClaimIssuers()
    issuers.offer(async () => 'http://own')
    issuers.offer(async () => 'https://operator')

    expect(await issuers.matchFor('n', taking(taken))).toEqual({ issuer: expected, subject: 'subject-n' })
  })

  test('is another one where the first is refused in any way that may be for it', async () => {
    const issuers = new ClaimIssuers()
    issuers.offer(async () => 'http://own')
    const own = async ({ issuer }: { issuer: string }) => answer(issuer === 'http://own' ? 200 : 500)

    expect((await issuers.matchFor('n', own)).issuer).toBe('http://own')
  })

  test('is settled once for all', async () => {
    const issuers = new ClaimIssuers()
    const { call, calls } = answering(answer(200))
    await Promise.all(['a', 'b', 'c'].map((name) => issuers.matchFor(name, call)))

    expect(calls()).toBe(1)
  })
})
