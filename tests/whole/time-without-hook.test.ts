import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import type { RequestListener } from 'node:http'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { aboutResuming, mustSpareFirst } from '../../cli/run/resume.ts'
import type { Values } from '../../helpers/settings/configuration.ts'
import { mergeResumed, resumedProblems } from '../../reports/model/merge-resumed.ts'
import { Refused } from '../support/runs/built.ts'
import { below, clockRuns, ofDays } from '../support/runs/clock-runs.ts'

const { own, aTarget, aServer, run } = clockRuns()

describe('a target that answers nonsense, its hook included', () => {
  const always =
    (body: string, status = 200): RequestListener =>
    (request, response) => {
      request.resume()
      response.writeHead(status, { 'content-type': 'application/json' }).end(body)
    }

  test.each<[string, RequestListener]>([
    ['{}', always('{}')],
    ['null', always('null')],
    ['[]', always('[]')],
    ['the time alone', always('{"now":"2026-01-01T00:00:00Z"}')],
    ['one and the same thing', always('{"uid":"a/b","name":"a","now":3,"roles":[{"uid":"a"}],"nextPageToken":"x"}')],
    ['HTML with 500', always('<h1>Oops</h1>', 500)],
  ])('such as %s costs no error row', async (_what, listener) => {
    const RMAPI_BASE_URL = await aServer(listener)
    const values = { RMAPI_BASE_URL, RMAPI_GROUP_UID: 'a', RMAPI_ACCESS_TOKEN: 'secret-token' }
    const hooked = { ...values, RMAPI_CLOCK_URL: RMAPI_BASE_URL }

    // an address that answers everything alike is not examined; whatever is examined passes nothing
    const outcomesOf = (settings: Values) =>
      run(settings).then(
        ({ outcomes }) => outcomes,
        (error: Error) => [error.message.includes('this API is not there') ? 'refused' : error.message],
      )
    for (const settings of [values, hooked]) {
      const outcomes = await outcomesOf(settings)
      expect(outcomes).not.toContain('pass')
      expect(outcomes.filter((one) => one.includes(' '))).toEqual(outcomes.filter((one) => one === 'not offered'))
    }
  })
})

describe('a run without a hook', () => {
  const hour = 60 * 60
  const resumeFile = () => join(own.folder, readdirSync(own.folder).find((name) => name.startsWith('resume-'))!)
  const [lives, restarts] = ['list.token.lives@roles', 'list.token.restarts@roles'] as const
  const picked = { only: [] as string[] }

  test('decides nothing about time, and keeps page tokens for another run, without a secret', async () => {
    const { values } = await aTarget()
    const { outcomes, notes } = await run(values)
    const kept = readFileSync(resumeFile(), 'utf8')

    expect(outcomes).toEqual(['inconclusive'])
    expect(notes).toContain('no RMAPI_CLOCK_URL is set')
    expect(notes).toContain(`run --resume ${resumeFile()}`)
    expect(JSON.parse(kept)).toMatchObject({ baseUrl: values.RMAPI_BASE_URL, apiVersion: 'v2beta1' })
    expect(kept).not.toContain(values.RMAPI_ACCESS_TOKEN)
  })

  test('is resumed: too early, just before three days, just after, and once only', async () => {
    const { values, reference } = await aTarget()
    await run(values)
    const again = () => run(values, { ...picked, resume: resumeFile() })

    const early = await again()
    expect([early.outcomeOf(lives), early.outcomeOf(restarts)]).toEqual(['inconclusive', 'inconclusive'])
    expect(early.notes).toMatch(/too early: come back from \d{4}-/)
    expect(early.exitCode).toBe(3)
    reference.world.advance(70 * hour)
    const before = await again()
    expect([before.outcomeOf(lives), before.outcomeOf(restarts)]).toEqual(['pass', 'inconclusive'])
    reference.world.advance(3 * hour)
    const after = await again()
    expect([after.outcomeOf(lives), after.outcomeOf(restarts)]).toEqual(['inconclusive', 'pass'])
    const spent = await again()
    expect([spent.outcomeOf(lives), spent.outcomeOf(restarts)]).toEqual(['inconclusive', 'inconclusive'])
    expect(spent.notes).toContain('one is spent only once')
  })

  test('for the sake of a later one leaves a group, with which that one decides it all, and deletes it', async () => {
    // each reading of the operator's group, by which the waiting run reads the time, lets this go by, in seconds
    const passing: number[] = []
    const { values, reference } = await aTarget(undefined, () => ({
      transport: async ({ method, url = '' }, _response, serve, { world }) => {
        if (method === 'GET' && url.endsWith(`/groups/${reference.groupUid}`)) world.advance(passing.shift() ?? 0)
        await serve()
      },
    }))
    const only = [...ofDays.only, 'time.follows*']
    const first = await run(values, { only, forResume: true })
    expect(() => mustSpareFirst(resumeFile(), own.folder)).toThrow(/name another folder/)
    expect(first.outcomes).toEqual(['inconclusive'])
    expect([first.exitCode, first.report.left]).toEqual([3, []])
    expect(below(reference).length).toBeGreaterThan(10)

    reference.world.advance(70 * hour)
    // before the run, at its beginning, then the hour of two tokens, then until three days are over
    passing.push(0, 0, 0, 151, 3374, 151, 151, 0, 4 * hour)
    const later = await run(values, { ...picked, resume: resumeFile(), wait: true })
    expect([later.outcomes, later.exitCode]).toEqual([['pass'], 0])
    expect(below(reference)).toEqual([])

    const names = ['first', 'later']
    expect(resumedProblems(first.report, [later.report], names)).toEqual([])
    expect(aboutResuming(first.report, own.folder)).toMatch(
      /^Between \S+Z and \S+Z, continue with: .* run --resume '\S+' --wait/,
    )
    expect(aboutResuming(later.report, own.folder)).toMatch(/report --merge/)
    const whole = mergeResumed(first.report, [later.report])
    expect(whole.requirements.map(({ outcome }) => outcome)).not.toContain('inconclusive')
    expect(whole.resumed).toMatchObject([{ told: expect.arrayContaining(['sts.token.hour.ends', lives]) }])
    const stranger = { ...later.report, resumes: 'another', suite: { name: 'a', version: '9' } }
    expect(resumedProblems(first.report, [stranger], names)).toEqual([
      'later continues a different run, not that of first',
      'later has a different suite from first',
    ])
    expect(resumedProblems(later.report, [later.report], names)).toEqual([expect.stringMatching(/left page tokens/)])
  })

  test.each([
    ['page tokens of roles live for a day', 70, lives],
    ['page tokens never grow old', 73, restarts],
    ['an old page token is an error', 73, restarts],
    ['a list that starts over forgets its order', 73, restarts],
  ])('finds, resumed, that %s', async (fault, hours, id) => {
    const { values, reference } = await aTarget(fault)
    await run(values)
    reference.world.advance(hours * hour)
    const { outcomeOf, exitCode } = await run(values, { ...picked, resume: resumeFile() })

    expect(outcomeOf(id)).toBe('fail')
    expect(exitCode).toBe(1)
  })

  test('decides nothing, resumed, where the roles are others by then', async () => {
    const { values, reference } = await aTarget('page tokens never grow old')
    await run(values)
    const { world } = reference
    world.advance(73 * hour)
    const [role] = [...world.store.all('roles')]
    world.store.put({ ...role!, uid: 'ffff', name: 'zzz' })
    const { outcomeOf, notes } = await run(values, { ...picked, resume: resumeFile() })

    expect(outcomeOf(restarts)).toBe('inconclusive')
    expect(notes).toContain('the roles changed meanwhile')
  })

  test('is not resumed with what another target issued, or with anything else', async () => {
    const [one, other] = await Promise.all([aTarget(), aTarget()])
    await run(one.values)
    const kept = resumeFile()
    const odd = join(own.folder, 'odd.json')
    const refusal = (values: Values, resume: string) =>
      run(values, { ...picked, resume }).catch((error: Error) => {
        expect(error).toBeInstanceOf(Refused)
        return error.message
      })

    expect(await refusal(other.values, kept)).toMatch(/keeps page tokens of http.* and this run examines http/)
    expect(await refusal({ ...one.values, RMAPI_VERSION: 'v2' }, kept)).toMatch(/\(v2beta1\).*\(v2\)/)
    expect(await refusal(one.values, join(own.folder, 'none.json'))).toMatch(/cannot be resumed: it is not there/)
    for (const text of ['', 'null', '[]', '{"tokens":{"justAfter":"x"}}', '{"baseUrl":1,"tokens":{}}']) {
      writeFileSync(odd, text)
      expect(await refusal(one.values, odd)).toMatch(/odd\.json cannot be resumed: /)
    }
  })
})
