import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeAll, describe, inject } from 'vitest'
import type { Report } from '../../schemas/types.ts'
import { settingsOf } from '../support/runs/child.ts'
import { nodeOf } from './nodes.ts'
import { test } from './places.ts'
import { begin, mainIn, run } from './programs.ts'

const { checkout, installed } = inject('packed')
const main = mainIn(installed)
let listed = ''
beforeAll(async () => {
  listed = (await run(process.execPath, ['dist/cli/main.js', 'list', '--json'], { cwd: checkout })).stdout
})

describe.for([20, 22, 24, 26])('on Node %i', (major) => {
  test('a whole run is conformant, what fails is reported, and all are listed', async ({ folder, expect }) => {
    const node = await nodeOf(major)
    const suite = (...args: string[]) => run(node, [main, ...args], { cwd: folder })
    const reportIn = (out: string) => JSON.parse(readFileSync(join(folder, out, 'report.json'), 'utf8')) as Report

    const whole = await suite('run', '--out', 'whole')
    expect([whole.code, whole.last]).toEqual([0, expect.stringMatching(/^VERDICT conformant must=(\d+)\/\1 /)])
    expect(reportIn('whole')).toMatchObject({
      node: expect.stringMatching(`^v?${major}\\.`),
      problems: [],
      left: [],
    })

    expect((await suite('list', '--json')).stdout).toBe(listed)

    const server = begin(node, [main, 'serve', '--fault', 'skip is not echoed'], { cwd: folder })
    const environment = await settingsOf(server)
    const only = ['run', '--only', 'list.skip.*', '--out', 'broken', '--report', 'json,html,md,junit,har']
    const broken = await run(node, [main, ...only], { cwd: folder, environment })
    server.kill()
    expect([broken.code, broken.last]).toEqual([1, expect.stringMatching(/^VERDICT nonconformant /)])
    const red = reportIn('broken').requirements.flatMap(({ id, outcome }) => (outcome === 'fail' ? [id] : []))
    expect(red).toContain('list.skip.echo')
    for (const file of ['report.html', 'report.md', 'junit.xml', 'exchanges.har'])
      expect(readFileSync(join(folder, 'broken', file), 'utf8'), file).toContain('list.skip.echo')
  })
})
