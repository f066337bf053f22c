import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Reference, startReference } from '../../reference/embed.ts'
import type { Replacement } from '../../reference/replace.ts'
import type { Report } from '../../schemas/types.ts'
import { faults } from '../support/runs/built.ts'
import { type Environment, ended, start } from '../support/runs/child.ts'

const folder = mkdtempSync(join(tmpdir(), 'rmapi mistakes '))
const at = (...path: string[]) => join(folder, ...path)
const cli = (args: string[], environment?: Environment) => ended(start(folder, args, environment))
const servers: Reference[] = []

/** Starts a server, and returns the settings that examine it. */
async function serve(rules: Replacement = () => ({})): Promise<Environment> {
  const reference = await startReference({ rules })
  servers.push(reference)
  const { baseUrl, groupUid, accessToken } = reference
  return { RMAPI_BASE_URL: baseUrl, RMAPI_GROUP_UID: groupUid, RMAPI_ACCESS_TOKEN: accessToken }
}

afterAll(async () => {
  for (const { close } of servers) await close()
  rmSync(folder, { recursive: true, force: true })
})

/** One sentence without a trace of the stack, and nothing on stdout but what is expected there. */
const refused = (why: RegExp) => ({ code: 2, stdout: '', stderr: expect.stringMatching(why) })

describe('what a report says', () => {
  let stdout = ''
  let settings: Environment = {}
  beforeAll(async () => {
    settings = await serve(faults.find(({ name }) => name === 'skip is not echoed')!.rules)
    stdout = (await cli(['run', '--only', 'list.skip.echo', '--seed', '5', '--out', 'red'], settings)).stdout
  })

  test('to run again examines no other server where nothing is set', async () => {
    const [, again = ''] = /rerun +npx --no-install rmapi-conformance (run .*)/.exec(stdout) ?? []

    expect(again).toContain(`--base-url ${settings.RMAPI_BASE_URL} `)
    expect(again).not.toContain(settings.RMAPI_ACCESS_TOKEN)
    expect(await cli(again.split(' '))).toMatchObject(refused(/RMAPI_GROUP_UID \(--group-uid\) is not set/))
  })

  test('is replayed as it was made: over its protocol, and without a write', async () => {
    const path = at('quiet.json')
    const report = JSON.parse(readFileSync(at('red/report.json'), 'utf8')) as Report
    const quiet = (change: Partial<Report>) => writeFileSync(path, JSON.stringify({ ...report, ...change }))
    const groups = () => [...servers[0]!.world.store.all('groups')].map(({ uid }) => uid)
    const before = groups()

    quiet({ readOnly: true })
    expect(await cli(['replay', path, '--out', 'quiet'], settings)).toMatchObject({
      code: 3,
      last: expect.stringMatching(/^REPLAY .*inconclusive=1$/),
    })
    expect(groups()).toEqual(before)
    quiet({ selection: { ...report.selection, transport: 'grpc' } })
    expect((await cli(['replay', path, '--out', 'over'], settings)).stdout).toMatch(/curl +grpcurl /)
  })

  test('is not overwritten by what reads it', async () => {
    const before = readFileSync(at('red/report.json'), 'utf8')
    const [replayed, merged, more] = [
      await cli(['replay', 'red/report.json', '--out', './red/'], settings),
      await cli(['report', '--merge', 'red/report.json', 'red/report.json', '--out', 'red'], settings),
      await cli(['report', 'red/report.json', '--report', 'junit', '--out', 'red'], settings),
    ]

    expect(replayed).toMatchObject(refused(/red\/report\.json would be overwritten: name another folder/))
    expect(merged.code).toBe(2)
    expect(more.code).toBe(1)
    expect(readFileSync(at('red/junit.xml'), 'utf8')).toContain('list.skip.echo')
    expect(readFileSync(at('red/report.json'), 'utf8')).toBe(before)
  })
})
