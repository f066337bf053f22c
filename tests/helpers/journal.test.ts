import { appendFileSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect } from 'vitest'
import { rootsOlderThan, sweepRoots } from '../../helpers/cleanup/sweep.ts'
import { rootName, sweep, writeJournal } from '../support/runs/closing.ts'
import { aRun, folder } from '../support/runs/own-run.ts'
import { test } from '../support/runs/servers.ts'

test.concurrent('the name in a body that is sent as text is written down, too', async ({ closing }) => {
  const { api, root, path } = await aRun(closing)

  await api.attempt.groups.create(root.uid, { raw: '{ "name": "spelt\\u002din\\u002dtext" }' })

  expect(readFileSync(path, 'utf8')).toContain('"name":"spelt-in-text"')
})

test.concurrent('a journal may be empty, or end in the middle of a line', async ({ closing }) => {
  const { path, before, everything, config } = await aRun(closing)
  const empty = join(folder, 'empty.jsonl')
  writeFileSync(empty, '')
  appendFileSync(path, '{"kind":"gro')

  expect(await sweep(config, empty)).toMatchObject({ left: [], refused: [expect.any(String)], sure: false })
  expect(await sweep(config, path)).toMatchObject({ left: [], refused: [expect.stringMatching(/torn/)], sure: true })
  expect(everything()).toEqual(before)
})

test.concurrent('a journal holds each create before it is sent, and its uid after', async ({ closing }) => {
  const { api, root, path, groupUid } = await aRun(closing)
  const { uid } = await api.groups.create(root.uid, { name: 'child' })
  const written = readFileSync(path, 'utf8')
    .trim()
    .split('\n')
    .slice(1)
    .map((line) => JSON.parse(line))

  expect(written).toMatchObject([
    { kind: 'groups', parent: groupUid, name: rootName, root: true },
    { uid: root.uid },
    { kind: 'groups', parent: root.uid, name: 'child' },
    { uid },
  ])
  expect(written.map((line) => 'uid' in line)).toEqual([false, true, false, true])
})

test.concurrent('nothing is written outside', async ({ closing }) => {
  const { api, foreign, groupUid, everything } = await aRun(closing)
  const stranger = await foreign.groups.create(groupUid, { name: 'a stranger' })
  const there = everything()

  for (const attempt of [
    () => api.groups.create(stranger.uid, { name: 'a' }),
    () => api.groups.create(groupUid, { name: 'a' }),
    () => api.groups.update(stranger.uid, { name: 'a' }),
    () => api.groups.delete(stranger.uid),
    () => api.groups.delete(groupUid),
  ])
    await expect(attempt()).rejects.toThrow(/which the run did not make/)
  expect(everything()).toEqual(there)
})

test.concurrent.for<[string, (lines: string[], stranger: string) => string[], RegExp]>([
  [
    'a uid that was changed',
    (lines, stranger) => lines.map((line) => line.replace(/"uid":"[^"]+"/, `"uid":"${stranger}"`)),
    /line 3 was changed/,
  ],
  [
    'a line in the middle that is torn',
    (lines) => lines.map((line, index) => (index === 2 ? line.slice(0, 20) : line)),
    /line 3 is torn/,
  ],
  [
    'a line of somebody else',
    (lines, stranger) => [...lines, JSON.stringify({ kind: 'groups', parent: 'a', uid: stranger })],
    /line 6 was changed/,
  ],
])('a journal with %s: nothing foreign goes, and what was refused is named', async ([, doctor, why], { closing }) => {
  const { api, foreign, root, path, everything, config, groupUid } = await aRun(closing)
  await api.groups.create(root.uid, { name: 'child' })
  const stranger = await foreign.groups.create(groupUid, { name: 'a stranger' })
  const lines = readFileSync(path, 'utf8').trimEnd().split('\n')
  writeFileSync(path, `${doctor(lines, stranger.uid).join('\n')}\n`)

  const { refused, sure } = await sweep(config, path)

  expect(refused.join('\n')).toMatch(why)
  expect(sure).toBe(false)
  expect(everything()).toContain(stranger.uid)
})

test.concurrent.for<[string, (stranger: string, groupUid: string) => object[], RegExp]>([
  [
    "a stranger's group as the run's own",
    (uid, parent) => [{ kind: 'groups', parent, name: rootName, root: true, uid }],
    /is called 'a stranger', not/,
  ],
  [
    'the group of the operator',
    (_, parent) => [{ kind: 'groups', parent: 'x', name: 'x', uid: parent }],
    /operator's group/,
  ],
  [
    'dots',
    (uid, parent) => [{ kind: 'groups', parent: `${parent}/a`, name: 'x', uid: `${uid}/../b` }],
    /a gateway could/,
  ],
  [
    'something outside of its own group',
    (uid, parent) => [
      { kind: 'groups', parent, name: rootName, root: true },
      { kind: 'groups', parent: `${parent}/ab`, name: 'a stranger', uid },
    ],
    /lies outside the run's own group/,
  ],
])('a journal that names %s deletes nothing for it', async ([, entries, why], { closing }) => {
  const { foreign, path, everything, config, groupUid } = await aRun(closing)
  const stranger = await foreign.groups.create(groupUid, { name: 'a stranger' })
  writeJournal(path, config, entries(stranger.uid, groupUid))

  const { refused, sure } = await sweep(config, path)

  expect(refused.join('\n')).toMatch(why)
  expect(sure).toBe(false)
  expect(everything()).toEqual(expect.arrayContaining([stranger.uid, groupUid]))
})

test.concurrent('a journal of another server, version or group is refused before anything is sent', async ({
  closing,
}) => {
  const { path, config, everything } = await aRun(closing)
  const there = everything()

  for (const other of [{ baseUrl: `${config.target.baseUrl}/v` }, { apiVersion: 'v2' }, { groupUid: 'another' }])
    await expect(sweep({ ...config, target: { ...config.target, ...other } }, path)).rejects.toThrow(/nothing was sent/)
  expect(everything()).toEqual(there)
})

test.concurrent('without a journal the groups of runs are found by name, and nothing else', async ({ closing }) => {
  const { api, root, foreign, everything, config, groupUid } = await aRun(closing)
  await api.groups.create(root.uid, { name: 'child' })
  const stranger = await foreign.groups.create(groupUid, { name: 'rmapiconformance' })
  const stays = await foreign.groups.create(groupUid, { name: 'rmapiconformancestaysabcdefgha' })

  expect(await rootsOlderThan(config, 3_600_000)).toEqual([])
  const found = await rootsOlderThan(config, 0)
  expect(found.map(({ uid }) => uid)).toEqual([root.uid])
  expect(await sweepRoots(config, found)).toMatchObject({ left: [] })
  expect(everything()).not.toContain(root.uid)
  expect(everything()).toEqual(expect.arrayContaining([stranger.uid, stays.uid]))
})
