import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import fc from 'fast-check'
import { afterAll, describe, expect, test } from 'vitest'
import { readBaseline, withBaseline } from '../../cli/input/baseline-file.ts'
import { readReport } from '../../cli/input/read-report.ts'
import { Refused } from '../../cli/input/refused.ts'
import { readJournal } from '../../helpers/api/journal-lines.ts'
import { altered, reclaimed, unsigned } from '../../helpers/auth/forged-jwt.ts'
import { tokenIn } from '../../helpers/http/access-token.ts'
import { readJson } from '../../helpers/http/body.ts'
import { longestPause, pauseAskedFor } from '../../helpers/http/waits.ts'
import { ConfigurationError } from '../../helpers/settings/configuration.ts'
import { readConfig } from '../../helpers/settings/read-configuration.ts'
import { type SettingName, settings } from '../../helpers/settings/settings.ts'
import { formats } from '../../reports/formats/formats.ts'
import { compareReports } from '../../reports/model/compare.ts'
import type { Report } from '../../schemas/types.ts'
import { nastier, reportWith, row } from '../support/sample-report.ts'

// whatever a file, a setting or a header holds: a right result or a clear error, never an accident

const folder = mkdtempSync(join(tmpdir(), 'rmapi-parsers-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

const seed = 20_261_122

/** A value that JSON can hold, odd texts among them. */
const anything = fc.oneof(fc.jsonValue(), fc.constantFrom(...nastier), fc.constantFrom(-1, 1e308, 0.5, null, [], {}))

/** A JSON value in which something was replaced, dropped or doubled, a few times. */
const mutated = (value: unknown) =>
  fc
    .array(fc.tuple(fc.nat(), fc.constantFrom('alike', 'alike', 'alike', 'replace', 'drop', 'double'), anything), {
      minLength: 1,
      maxLength: 3,
    })
    .map((changes) => {
      const copy = structuredClone(value)
      for (const [at, how, by] of changes) change(copy, at, how, by)
      return copy
    })

function change(root: unknown, at: number, how: string, by: unknown): void {
  const places = placesIn(root)
  const place = places[at % places.length]
  if (place === undefined) return
  const [holder, key] = place
  const now = (holder as Record<string, unknown>)[key]
  if (how === 'alike') {
    if (typeof now === 'string') Object.assign(holder, { [key]: nastier[at % nastier.length] })
    if (typeof now === 'number') Object.assign(holder, { [key]: at })
    return
  }
  if (Array.isArray(holder)) {
    if (how === 'replace') holder[Number(key)] = by
    else holder.splice(Number(key), how === 'drop' ? 1 : 0, ...(how === 'double' ? [holder[Number(key)]] : []))
  } else if (how === 'drop') delete holder[key]
  else holder[key] = by
}

/** Every member and item, however deep. */
function placesIn(value: unknown): [Record<string, unknown> | unknown[], string][] {
  if (typeof value !== 'object' || value === null) return []
  return Object.entries(value).flatMap(([key, inner]) => [
    [value as Record<string, unknown>, key] as [Record<string, unknown>, string],
    ...placesIn(inner),
  ])
}

let files = 0
function inFile(text: string): string {
  const path = join(folder, `${++files % 50}.json`)
  writeFileSync(path, text)
  return path
}

/** What a reader makes of a file; undefined where it refuses it in one clear error. */
function readOrRefused<T>(read: (path: string) => T, text: string): T | undefined {
  try {
    return read(inFile(text))
  } catch (error) {
    expect(error).toBeInstanceOf(Refused)
    expect((error as Error).message).not.toMatch(/undefined|\[object|at .*\.ts:\d/)
    return undefined
  }
}

const good = JSON.parse(
  formats.json.write(reportWith([row('a'), row('b', 'warning'), row('c', 'pass'), row('d', 'observed')])),
) as Report

describe('a report', () => {
  test('that is torn or no report is refused in one error', () => {
    const text = JSON.stringify(good)
    const torn = fc.nat(text.length).map((at) => text.slice(0, at))
    fc.assert(
      fc.property(fc.oneof(torn, fc.string(), fc.json()), (given) => {
        fc.pre(given !== text)
        expect(readOrRefused(readReport, given)).toBeUndefined()
      }),
      { seed, numRuns: 100 },
    )
  })

  test('in which something was changed is refused, or every format and comparison takes it', () => {
    const written = [formats.json, formats.html, formats.md, formats.junit, formats.ctrf, formats.har, formats.badge]
    let taken = 0
    fc.assert(
      fc.property(mutated(good), (report) => {
        const read = readOrRefused(readReport, JSON.stringify(report))
        if (read === undefined) return
        taken++
        for (const format of written) expect(format.write(read)).not.toBe('')
        compareReports([good, read])
      }),
      { seed, numRuns: 150 },
    )
    expect(taken).toBeGreaterThan(10)
  })
})

test('a baseline in which something was changed is refused, or applied', async () => {
  const known = { reason: 'known', owner: 'us', expires: '2030-01-01', fingerprint: '0123456789abcdef' }
  const deviations = ['list.skip.fail', 'group.create.answers'].map((id) => ({ id, ...known }))
  const baseline = { baselineVersion: 1, seed: 1, deviations }
  await fc.assert(
    fc.asyncProperty(fc.oneof(mutated(baseline), anything), async (given) => {
      const read = readOrRefused(readBaseline, JSON.stringify(given))
      if (read !== undefined) await withBaseline(good, read)
    }),
    { seed, numRuns: 100 },
  )
})

test('a journal gives nothing that it cannot vouch for, whatever it holds', () => {
  const line = fc.oneof(
    anything.map((value) => JSON.stringify(value)),
    fc.string(),
  )
  fc.assert(
    fc.property(fc.array(line, { maxLength: 6 }), (lines) => {
      const { header, entries } = readJournal(lines.join('\n'))
      expect([header, entries]).toEqual([undefined, []])
    }),
    { seed, numRuns: 300 },
  )
})

test('settings give a configuration, or one error that names each wrong one', () => {
  const names = Object.keys(settings) as SettingName[]
  const text = fc.oneof(
    fc.string(),
    fc.constantFrom('http://127.0.0.1:1', 'https://a/b', 'a/b', '1', '-1', 'true', ...nastier),
  )
  fc.assert(
    fc.property(fc.dictionary(fc.constantFrom(...names), text), (values) => {
      try {
        readConfig(values)
      } catch (error) {
        expect(error).toBeInstanceOf(ConfigurationError)
        expect((error as Error).message).toMatch(/RMAPI_/)
      }
    }),
    { seed, numRuns: 300 },
  )
})

test('a token is altered in every way, JWT or not', () => {
  const part = fc.oneof(
    fc.string({ minLength: 1 }),
    fc.json().map((text) => Buffer.from(text).toString('base64url')),
  )
  const token = fc.array(part, { minLength: 1, maxLength: 5 }).map((parts) => parts.join('.'))
  fc.assert(
    fc.property(token, (given) => {
      for (const forged of [altered(given), unsigned(given), reclaimed(given, { sub: 'another' })])
        expect(typeof forged).toBe('string')
      tokenIn(given)
    }),
    { seed, numRuns: 300 },
  )
})

test('bytes of a body are JSON, or the reason is given', () => {
  fc.assert(
    fc.property(fc.oneof(fc.uint8Array({ maxLength: 400 }), fc.json().map(Buffer.from)), (bytes) => {
      const { json, notJson } = readJson(Buffer.from(bytes))
      expect((json === undefined) === (notJson !== undefined)).toBe(true)
    }),
    { seed, numRuns: 300 },
  )
})

test('Retry-After asks for a pause that ends, whatever it holds', () => {
  const value = fc.oneof(
    fc.string(),
    fc.integer().map(String),
    fc.date({ noInvalidDate: true }).map((date) => date.toUTCString()),
  )
  fc.assert(
    fc.property(value, value, fc.integer({ min: 1, max: 8 }), (asked, date, tries) => {
      const ms = pauseAskedFor({ 'retry-after': asked, date }, tries)
      expect(ms).not.toBeNaN()
      expect(ms).toBeGreaterThanOrEqual(0)
      expect(longestPause).toBeLessThan(Number.POSITIVE_INFINITY)
    }),
    { seed, numRuns: 300 },
  )
})
