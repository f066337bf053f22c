import { mkdtempSync, rmSync } from 'node:fs'
import { createServer, type RequestListener } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { everything } from '../../cli/input/selections.ts'
import type { Values } from '../../helpers/settings/configuration.ts'
import { startReference } from '../../reference/embed.ts'
import { faultNamed } from '../../reference/faults.ts'
import type { Replacement } from '../../reference/replace.ts'
import { runSuite } from '../support/runs/built.ts'
import { below, type More, ofDays } from '../support/runs/clock-runs.ts'

const opened: (() => unknown)[] = []

let folder = ''

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'time-'))
})

afterEach(async () => {
  for (const close of opened.splice(0)) await close()
  rmSync(folder, { recursive: true, force: true })
})

/** A reference, the settings that examine it, and what is below the operator's group. */
async function aTarget(
  fault?: string,
  rules: Replacement = fault === undefined ? () => ({}) : faultNamed(fault).rules,
) {
  const reference = await startReference({ rules })
  opened.push(() => reference.close())
  const values = {
    RMAPI_BASE_URL: reference.baseUrl,
    RMAPI_GROUP_UID: reference.groupUid,
    RMAPI_ACCESS_TOKEN: reference.accessToken,
  }
  return { reference, values, hooked: { ...values, RMAPI_CLOCK_URL: reference.clockUrl } }
}

async function run(values: Values, more: More = {}) {
  const { only = ofDays.only, ...others } = more
  const { report, exitCode } = await runSuite({
    values,
    selection: { ...everything, only },
    out: folder,
    ...others,
  })
  const broken = report.requirements.filter(({ outcome }) => outcome === 'error')
  expect(broken.map(({ id, note }) => `${id}: ${note}`)).toEqual([])
  const outcomeOf = (id: string) => report.requirements.find((row) => row.id === id)?.outcome
  const outcomes = [...new Set(report.requirements.map(({ outcome }) => outcome))]
  const notes = [...new Set(report.requirements.map(({ note }) => note ?? ''))].join('\n')
  return { report, exitCode, outcomeOf, outcomes, notes }
}

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
    const hook = createServer(listener)
    await new Promise<void>((resolve) => hook.listen(0, '127.0.0.1', resolve))
    opened.push(() => {
      hook.close()
      hook.closeAllConnections()
    })
    const { values, reference } = await aTarget()
    const RMAPI_CLOCK_URL = `http://127.0.0.1:${(hook.address() as AddressInfo).port}/`
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
