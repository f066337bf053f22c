import type { RequestListener } from 'node:http'
import { describe, expect, test } from 'vitest'
import { below, clockRuns, ofDays } from '../support/runs/clock-runs.ts'

const { aTarget, aServer, run } = clockRuns()

describe('a run that moves the clock', () => {
  test('has deleted all that it made before, and deletes what it makes later', async () => {
    const { reference, hooked } = await aTarget()
    const { world } = reference
    const made: number[] = []
    const stood: { seconds: number; count: number }[] = []
    const { advance } = world
    world.advance = (seconds) => {
      stood.push({ seconds, count: below(reference).length })
      made.push(below(reference).length)
      advance(seconds)
    }
    const { outcomes, exitCode } = await run(hooked, { only: ['group.create.answers', ...ofDays.only] })

    const moves = stood.filter(({ seconds }) => seconds > 0)
    expect(moves[0]!.count).toBe(0)
    expect(Math.max(...made)).toBeGreaterThan(10)
    expect(moves.reduce((sum, { seconds }) => sum + seconds, 0)).toBeGreaterThan(6 * 24 * 3600)
    expect(below(reference)).toEqual([])
    expect(outcomes).toEqual(['pass'])
    expect(exitCode).toBe(0)
  })

  test('with a token that ends meanwhile decides nothing, and leaves nothing behind', async () => {
    const { reference, hooked } = await aTarget()
    const { groupUid, accessToken } = reference.other
    const settings = { ...hooked, RMAPI_GROUP_UID: groupUid, RMAPI_ACCESS_TOKEN: accessToken }
    const { outcomes, notes, report } = await run(settings)

    expect(outcomes).toEqual(['inconclusive'])
    expect(notes).toContain('the time part needs one that lives for eleven days')
    expect(report.left).toEqual([])
    expect(below({ ...reference, groupUid })).toEqual([])
  })

  test.each([1, 4, 6])('and is interrupted at move %i leaves nothing behind', async (move) => {
    const { reference, hooked } = await aTarget()
    const { world } = reference
    const controller = new AbortController()
    let moves = 0
    const { advance } = world
    world.advance = (seconds) => {
      advance(seconds)
      if (seconds > 0 && ++moves === move) controller.abort()
    }
    const { report } = await run(hooked, { signal: controller.signal })

    expect(moves).toBeGreaterThanOrEqual(move)
    expect(report.verdict).toBe('undetermined')
    expect(report.left).toEqual([])
    expect(below(reference)).toEqual([])
  })
})

describe('a clock hook', () => {
  const answering =
    (status: number, body: string): RequestListener =>
    (request, response) => {
      request.resume()
      response.writeHead(status).end(body)
    }

  test.each<[string, RequestListener, RegExp]>([
    ['that is not there', answering(404, '<h1>Not found</h1>'), /the clock hook answered 404/],
    ['that moves nothing', answering(200, 'OK'), /neither the Date header nor createTime shows/],
    ['whose time never moves', answering(200, '{"now":"2026-01-01T00:00:00Z"}'), /moved by 0 s/],
    ['that gives no time', answering(200, '{"now":"soon"}'), /a 'now' that is no RFC 3339 time: "soon"/],
    ['that gives a number', answering(200, '{"now":12}'), /a 'now' that is no RFC 3339 time: 12/],
    ['that hangs up', (request) => request.socket.destroy(), /the clock hook does not answer/],
  ])('%s is nothing that the target is blamed for', async (what, listener, note) => {
    const { values, reference } = await aTarget()
    const RMAPI_CLOCK_URL = `${await aServer(listener)}/`
    const { outcomes, notes, outcomeOf } = await run(
      { ...values, RMAPI_CLOCK_URL },
      { only: [...ofDays.only, 'time.clock'] },
    )

    expect(outcomeOf('time.clock')).toBe(/never moves/.test(what) ? 'inconclusive' : 'pass')
    expect(outcomes).not.toContain('fail')
    expect(notes).toMatch(note)
    expect(below(reference)).toEqual([])
  })
})
