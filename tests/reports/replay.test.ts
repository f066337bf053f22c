import { describe, expect, test } from 'vitest'
import { failureText } from '../../reports/model/fingerprint.ts'
import { compareReplay, redOnes, replayExitCode, replayToConsole, replayToJson } from '../../reports/model/replay.ts'
import type { Report, Requirement } from '../../schemas/types.ts'
import { requirement as row } from '../support/sample-report.ts'

const failed = (got: string) => row('a.b', 'fail', { expected: 'one', got })
const reportWith = (...requirements: Requirement[]) => ({ requirements }) as Report
const againOf = (before: Requirement, now: Requirement) => compareReplay([before], reportWith(now))[0]!.again

describe('a replay', () => {
  test('examines what failed or warned where nothing is named', () => {
    const rows = [row('a.a', 'pass'), row('a.b', 'fail'), row('a.c', 'warning'), row('a.d', 'inconclusive')]

    expect(redOnes(reportWith(...rows)).map(({ id }) => id)).toEqual(['a.b', 'a.c'])
  })

  test.each<[string, Requirement, Requirement, string]>([
    ['fails in the same way', failed('two'), failed('two'), 'the same'],
    ['fails differently', failed('two'), failed('three'), 'otherwise'],
    ['warns instead', failed('two'), row('a.b', 'warning', { expected: 'one', got: 'two' }), 'otherwise'],
    ['passes', failed('two'), row('a.b', 'pass'), 'passes'],
    ['could not be decided', failed('two'), row('a.b', 'inconclusive', { note: 'too busy' }), 'untold'],
    ['broke', failed('two'), row('a.b', 'error', { note: 'gone' }), 'untold'],
    ['is no longer there', failed('two'), row('a.c', 'pass'), 'untold'],
  ])('sees what %s', (_what, before, now, again) => expect(againOf(before, now)).toBe(again))

  test('overlooks what differs from run to run: uids, names, times, addresses, numbers of exchanges', () => {
    const one = failed(
      "lost 1 of 5: 3f2a9c0d1e4b5a69/0a1b2c3d4e5f6071 ('qwertyuiaaaab') at 2026-11-03T10:00:00.123Z, exchange 17: GET http://127.0.0.1:8080/a",
    )
    const other = failed(
      "lost 1 of 5: 9bd1cc0d1e4b5a69/ffff2c3d4e5f6071 ('poiuytreaaazz') at 2026-12-24T20:30:00Z, exchange 230: GET http://127.0.0.1:9/b",
    )

    expect(failureText(other)).toBe(failureText(one))
    expect(failureText(failed('lost 2 of 5'))).not.toBe(failureText(failed('lost 1 of 5')))
  })

  test('is data where that is asked for', () => {
    const replayed = compareReplay([failed('two'), row('a.c', 'fail')], reportWith(row('a.b', 'pass')))

    expect(JSON.parse(replayToJson(replayed))).toEqual([
      { id: 'a.b', again: 'passes', before: 'fail', now: 'pass' },
      { id: 'a.c', again: 'untold', before: 'fail' },
    ])
  })

  test('prints each requirement on a line, and counts at the end', () => {
    const before = [failed('two'), row('a.c', 'fail', { note: 'no' }), row('a.d', 'warning')]
    const now = [failed('three'), row('a.c', 'fail', { note: 'no' }), row('a.d', 'pass')]
    const replayed = compareReplay(before, reportWith(...now))

    expect(replayToConsole(replayed).split('\n')).toEqual([
      'a.b different: before expected one, got two; now expected one, got three',
      'a.c the same: fails again in the same way',
      'a.d gone: passes now',
      'REPLAY same=1 different=1 passes=1 inconclusive=0',
      '',
    ])
  })

  test.each([
    [['fail'], 0, 1],
    [['warning', 'inconclusive'], 0, 1],
    [['pass', 'inconclusive'], 0, 3],
    [['pass'], 1, 5],
    [['pass'], 0, 0],
  ] as const)('of which came %j, with %i things left behind, ends with %i', (outcomes, left, code) => {
    const before = outcomes.map((_, index) => row(`a.${index}`, 'fail'))
    const now = outcomes.map((outcome, index) => row(`a.${index}`, outcome))

    expect(replayExitCode(compareReplay(before, reportWith(...now)), left)).toBe(code)
  })
})
