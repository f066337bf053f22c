import { mkdtempSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Environment, ended, settingsOf, start } from '../support/runs/child.ts'

describe('a baseline on the command line', () => {
  let folder = ''
  const cli = (args: string[], environment?: Environment) => ended(start(folder, args, environment))
  beforeAll(() => {
    folder = mkdtempSync(join(tmpdir(), 'rmapi baseline '))
  })
  afterAll(() => rmSync(folder, { recursive: true, force: true }))

  test('a known state is green, whatever its names and uids, and any change is not', async () => {
    const [broken, sound] = [start(folder, ['serve', '--fault', 'skip is not echoed']), start(folder, ['serve'])]
    try {
      const [bad, good] = await Promise.all([broken, sound].map(settingsOf))
      const run = ['run', '--only', 'list.skip.*', '--out', 'out']
      await cli([...run, '--seed', '5'], bad)
      const update = ['baseline', 'update', 'out/report.json']
      const first = await cli(update)
      expect(first).toMatchObject({
        code: 0,
        stdout: expect.stringMatching(/^unexplained list\.skip\.echo: /m),
        last: expect.stringMatching(/^BASELINE baseline\.json deviations=(\d+) added=\1 .* unexplained=\1$/),
      })
      const held = [...run, '--baseline', 'baseline.json']
      const refused = await cli(held, bad)
      expect(refused).toMatchObject({ code: 2, stdout: '' })
      expect(refused.stderr).toMatch(
        /baseline\.json\/deviations\/\d+ \(list\.skip\.echo\) is not explained: write its "reason" \(.*\) and "owner" \(/,
      )
      const why = ['--reason', 'the gateway drops it', '--owner', 'team gateway']
      expect(await cli([...update, ...why, '--out', 'explained.json'])).toMatchObject({
        last: expect.stringMatching(/^BASELINE explained\.json deviations=[1-9]\d* added=0 .* unexplained=0$/),
      })
      expect((await cli(held, bad)).code).toBe(2)
      renameSync(join(folder, 'explained.json'), join(folder, 'baseline.json'))

      const again = await cli(held, bad)
      expect(again).toMatchObject({ code: 0, last: expect.stringMatching(/^VERDICT nonconformant /) })
      expect(again.stdout).toMatch(/seed 5\n/)
      expect(again.stdout).toMatch(/^BASELINE covers (\d+) of \1 failed musts: nothing else is broken$/m)
      expect(again.stdout).toMatch(/^KNOWN list\.skip\.echo: the gateway drops it \(team gateway, until /m)

      expect(await cli(held, good)).toMatchObject({
        code: 4,
        stdout: expect.stringMatching(/^STALE list\.skip\.echo passes now: remove it$/m),
      })
      expect(await cli(update)).toMatchObject({
        last: expect.stringMatching(/^BASELINE baseline\.json deviations=0 added=0 refreshed=0 dropped=[1-9]/),
      })
      expect((await cli(held, bad)).code).toBe(1)
    } finally {
      for (const child of [broken, sound]) child.kill('SIGKILL')
    }
  })

  test('a file that is no baseline is refused before anything is sent', async () => {
    writeFileSync(join(folder, 'bad.json'), '{"baselineVersion":1,"deviations":[{"id":"a","expires":"soon"}]}')
    const { code, stdout, stderr } = await cli(['run', '--baseline', 'bad.json'])

    expect({ code, stdout }).toEqual({ code: 2, stdout: '' })
    expect(stderr).toMatch(/bad\.json\/deviations\/0 \(a\) is not explained: write its "reason" .* and "owner" /)
    expect(stderr).toMatch(/bad\.json\/deviations\/0\/expires must match format "date"/)
  })

  test('a file of 0.1.0 is read: each entry that nobody explained is named, and an update explains them', async () => {
    // as `baseline update` of 0.1.0 wrote it, and somebody filled in the first
    const written = { reason: 'GW-17', owner: 'team gateway', expires: '2999-12-31', fingerprint: 'cb864f1e93f572c9' }
    const todo = { reason: 'TODO: why this deviation is known and for now accepted', owner: 'TODO: who answers for it' }
    const deviations = [
      { ...written, id: 'group.create.answers' },
      { ...written, ...todo, id: 'list.skip.echo' },
      { ...written, owner: ' ', id: 'list.skip.zero' },
    ]
    writeFileSync(join(folder, 'old.json'), JSON.stringify({ baselineVersion: 1, seed: 5, deviations }))
    const held = ['run', '--only', 'list.skip.echo', '--embedded', '--out', 'of-old', '--baseline']
    const { code, stdout, stderr } = await cli([...held, 'old.json'])

    expect({ code, stdout }).toEqual({ code: 2, stdout: '' })
    expect(stderr.split('\n')).toEqual([
      expect.stringMatching(/old\.json\/deviations\/1 \(list\.skip\.echo\) is not explained: .*"reason".*"owner"/),
      expect.stringMatching(/old\.json\/deviations\/2 \(list\.skip\.zero\) is not explained: write its "owner" \(/),
      expect.stringMatching(/'baseline update' with --reason and --owner/),
      '',
    ])

    await cli(['run', '--only', 'list.skip.echo', '--embedded', '--out', 'of-old'])
    const update = ['baseline', 'update', 'of-old/report.json', '--baseline', 'old.json', '--out', 'new.json']
    expect((await cli([...update, '--reason', 'GW-18', '--owner', 'team list'])).code).toBe(0)
    expect(JSON.parse(readFileSync(join(folder, 'new.json'), 'utf8')).deviations).toMatchObject([
      { id: 'group.create.answers', reason: 'GW-17', owner: 'team gateway' },
      { id: 'list.skip.zero', reason: 'GW-17', owner: 'team list' },
    ])
    expect((await cli([...held, 'new.json'])).code).toBe(0)
  })

  test('a must that is gone from the suite is shown beside the baseline', async () => {
    const musts = ['list.skip.echo', 'list.skip.of-another-suite']
    writeFileSync(join(folder, 'gone.json'), JSON.stringify({ baselineVersion: 1, deviations: [], musts }))
    const run = ['run', '--only', 'list.skip.echo', '--embedded', '--out', 'gone', '--baseline', 'gone.json']

    expect(await cli(run)).toMatchObject({
      code: 4,
      stdout: expect.stringMatching(/^STALE list\.skip\.of-another-suite was a must, and is no longer a requirement /m),
    })
    expect(await cli(['baseline', 'update', 'gone/report.json', '--baseline', 'gone.json'])).toMatchObject({
      stdout: expect.stringMatching(/^gone list\.skip\.of-another-suite: it was a must, /m),
      last: expect.stringMatching(/ gone=1 unexplained=0$/),
    })
    expect((await cli(run)).code).toBe(0)
  })

  test.each([
    [['--reason', 'TODO'], /--reason is 'TODO', which says nothing/],
    [['--owner', ' - '], /--owner is ' - ', which says nothing/],
    [['--baseline', 'nowhere.json', '--out', 'any.json'], /nowhere\.json is not there/],
    [['--out', 'nowhere/any.json'], /nowhere\/any\.json cannot be written: /],
  ])('an update with %j is refused', async (flags, says) => {
    const { code, stderr } = await cli(['baseline', 'update', 'of-old/report.json', ...flags])

    expect(code).toBe(2)
    expect(stderr).toMatch(says)
  })
})
