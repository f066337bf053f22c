import { readFileSync, writeFileSync } from 'node:fs'
import { beforeAll, describe, expect, test } from 'vitest'
import type { Report } from '../../schemas/types.ts'
import { faults } from '../support/runs/built.ts'
import type { Environment } from '../support/runs/child.ts'
import { commandsIn, refusedWith } from '../support/runs/commands.ts'

const { at, cli, serve, servers } = commandsIn('reports')

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
    expect(await cli(again.split(' '))).toMatchObject(refusedWith(/RMAPI_GROUP_UID \(--group-uid\) is not set/))
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

    expect(replayed).toMatchObject(refusedWith(/red\/report\.json would be overwritten: name another folder/))
    expect(merged.code).toBe(2)
    expect(more.code).toBe(1)
    expect(readFileSync(at('red/junit.xml'), 'utf8')).toContain('list.skip.echo')
    expect(readFileSync(at('red/report.json'), 'utf8')).toBe(before)
  })
})
