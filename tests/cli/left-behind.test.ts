import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { Refusal } from '../../reference/domain/refusal.ts'
import type { ExploredFinding } from '../../schemas/types.ts'
import { ended, start } from '../support/runs/child.ts'
import { commandsIn } from '../support/runs/commands.ts'

const { at, cli, serve, servers, folder } = commandsIn('left')

test('a replay that cannot go on names what it leaves, and its journal stays', async () => {
  const settings = await serve((contract) => ({
    forget: () => {},
    objection: (uid, here) =>
      here.operation === 'create' && uid !== servers.at(-1)?.groupUid
        ? new Refusal('internal', 'parent', 'no')
        : contract.objection(uid, here),
  }))
  const finding: ExploredFinding = {
    findingVersion: 1,
    suite: { name: 's', version: '0' },
    target: { name: 'a', version: 'b', baseUrl: settings.RMAPI_BASE_URL!, apiVersion: 'v2beta1', embedded: false },
    ...{
      seed: 1,
      row: 'model.group.time',
      expected: 'x',
      got: 'y',
      reproduced: true,
      drawn: 1,
      calls: [{ number: 1, does: 'create', kind: 'groups' }],
    },
  }
  writeFileSync(at('finding.json'), JSON.stringify(finding))

  const { code, stderr } = await cli(['replay', 'finding.json', '--out', 'again'], settings)
  const [, journal = ''] = /sweep '(again\/journal-[^']+)'/.exec(stderr) ?? []

  expect([code, stderr]).toEqual([2, expect.stringMatching(/could not be sent: [\s\S]*left behind: /)])
  expect(readFileSync(at(journal), 'utf8')).toContain('"root":true')
})

test('a crash of the suite is no verdict, and says how to delete what is left', async () => {
  const settings = await serve()
  const main = `(await import('node:worker_threads')).isMainThread`
  const journal = `(await import('node:fs')).readdirSync('crashed').some((name) => name.startsWith('journal-'))`
  const crash = `const looking = setInterval(async () => { if (${main} && ${journal}) { clearInterval(looking); setTimeout(() => { throw new Error('a crash') }, 500) } }, 50); looking.unref()`
  mkdirSync(at('crashed'))
  const { code, stderr } = await cli(['run', '--out', 'crashed', '--rate-limit', '50'], {
    ...settings,
    NODE_OPTIONS: `--import=data:text/javascript,${encodeURIComponent(crash)}`,
  })
  const [, left = ''] = /sweep '(crashed\/journal-[^']+)'\n$/.exec(stderr) ?? []

  expect([code, stderr]).toEqual([3, expect.stringContaining('a bug of the suite: Error: a crash')])
  expect(await cli(['sweep', left], settings)).toMatchObject({ code: 0 })
})

test('a second Ctrl-C names the group that was to stay for --resume as well', async () => {
  const settings = await serve()
  const child = start(
    folder,
    ['run', '--for-resume', '--only', 'list.token.lives*', '--rate-limit', '20', '--out', 'stays'],
    settings,
  )
  const over = ended(child)
  const stays = () =>
    existsSync(at('stays')) && readdirSync(at('stays')).some((name) => /^resume-.*\.jsonl$/.test(name))
  while (!stays()) await sleep(20)
  child.kill('SIGINT')
  await sleep(400)
  child.kill('SIGINT')
  const { code, stderr } = await over

  expect([code, stderr]).toEqual([5, expect.stringMatching(/sweep 'stays\/journal-[^']+'\n.*sweep 'stays\/resume-/)])
})
