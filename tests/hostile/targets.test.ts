import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { createServer } from 'node:http'
import { type AddressInfo, createServer as createTcpServer, type Server } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { ended, start } from '../support/runs/child.ts'
import { watched } from './proxy.ts'
import type { Hostile } from './target-forms.ts'
import { token } from './target-forms.ts'
import { mostMemory, targets, usualTime } from './targets.ts'

// the long form: HOSTILE=all, or some of it: HOSTILE='a pattern'; the short one takes every twelfth
const { HOSTILE: wanted } = process.env
const isChosen = (what: string, index: number) =>
  wanted === undefined ? index % 12 === 0 : wanted === 'all' || new RegExp(wanted).test(what)
const chosen = targets.filter(({ what }, index) => isChosen(what, index))
const some = ['--only', '*.answers', 'list.skip.echo', 'group.name.accepts.*']

/** Opens a target; returns the settings of a run against it. */
async function open({ does }: Hostile) {
  if ('alters' in does) {
    const reference = await watched((passing) => does.alters(passing))
    return { settings: reference.values as Record<string, string>, close: reference.close }
  }
  const server: Server = 'http' in does ? createServer(does.http) : createTcpServer(does.bytes)
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  return {
    settings: { RMAPI_BASE_URL: `http://127.0.0.1:${port}`, RMAPI_GROUP_UID: 'a0b1', RMAPI_ACCESS_TOKEN: token },
    close: () => {
      server.close()
      if ('closeAllConnections' in server) (server as import('node:http').Server).closeAllConnections()
    },
  }
}

/** The most memory that a process held, in megabytes, asked for as long as it lives. */
function memoryOf(pid: number): () => number {
  let most = 0
  const timer = setInterval(() => {
    try {
      const [, kilobytes] = /VmHWM:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8')) ?? []
      most = Math.max(most, Number(kilobytes ?? 0) / 1024)
    } catch {
      clearInterval(timer)
    }
  }, 100)
  return () => {
    clearInterval(timer)
    return most
  }
}

test('there are 80 of them and more, each with a name of its own', () => {
  expect(new Set(targets.map(({ what }) => what)).size).toBe(targets.length)
  expect(targets.length).toBeGreaterThanOrEqual(80)
})

test.concurrent.each(chosen.map((target) => [target.what, target] as const))(
  'a target that %s',
  async (_what, target) => {
    const folder = mkdtempSync(join(tmpdir(), 'hostile '))
    const { settings, close } = await open(target)
    const started = performance.now()
    try {
      const child = start(folder, ['run', ...some, '--max-stall', '4s'], settings)
      const memory = memoryOf(child.pid!)
      const { code, stdout, stderr } = await ended(child)
      const said = `${stdout}\n${stderr}`
      const seconds = (performance.now() - started) / 1000
      const files = readdirSync(folder, { recursive: true, withFileTypes: true }).filter((file) => file.isFile())
      const written = files.map((file) => readFileSync(join(file.parentPath, file.name), 'utf8')).join('\n')

      expect(said).toMatch(target.says)
      expect(said).not.toMatch(/a bug of the suite|^\s+at .*:\d+:\d+/m)
      expect(target.exit).toContain(code)
      expect(seconds).toBeLessThan(target.within ?? usualTime)
      expect(memory()).toBeLessThan(mostMemory)
      const secret = settings.RMAPI_ACCESS_TOKEN!
      for (let from = 0; from + 16 <= secret.length; from++)
        expect(said + written).not.toContain(secret.slice(from, from + 16))
      expect(said).not.toMatch(/\u001b\[2J|\u0007/)
    } finally {
      close()
      rmSync(folder, { recursive: true, force: true })
    }
  },
)
