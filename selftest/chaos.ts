import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdtempSync, readdirSync, rmSync, statSync } from 'node:fs'
import { request as ask, createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import { packageRoot } from '../cli/input/package.ts'
import { startReference } from '../reference/embed.ts'

// Ends runs at random moments in every way, sweeps after each, and says what was left: exit code 1 if anything was,
// or if something that existed before was touched.

const { values } = parseArgs({
  options: { kills: { type: 'string', default: '200' }, short: { type: 'boolean', default: false } },
})
const kills = values.short ? 6 : Number(values.kills)
const main = join(packageRoot, 'dist/cli/main.js')
const ways = ['-9', 'HUP', 'TERM', 'INT twice', 'parent killed', 'folder deleted'] as const

const reference = await startReference()
const { baseUrl, groupUid, accessToken, world } = reference
await fetch(`${baseUrl}/iam/v2beta1/groups/${groupUid}`, {
  method: 'POST',
  headers: { authorization: `Bearer ${accessToken}`, 'content-type': 'application/json' },
  body: JSON.stringify({ name: 'neighbour' }),
})
const everything = () =>
  JSON.stringify(
    (['groups', 'identities', 'roleBindings'] as const).map((kind) => [...world.store.all(kind)]),
    (name, value) => (name === 'lastSeenTime' ? undefined : value),
  )
const before = everything()

/** The reference behind a connection with a latency in milliseconds. */
async function behind(latency: number) {
  const server = createServer((request, response) => {
    const { method, url = '', headers } = request
    const onward = ask(baseUrl + url, { method, headers }, async (answer) => {
      await sleep(latency)
      response.writeHead(answer.statusCode ?? 500, answer.headers)
      answer.pipe(response)
    })
    response.on('error', () => {})
    request.pipe(onward.once('error', () => response.destroy()))
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, close: () => server.close() }
}

const own = Object.entries(process.env).filter(([name]) => !/^(RMAPI_|GITHUB_|npm_)/.test(name))
const start = (args: string[], url: string): ChildProcess => {
  const settings = { RMAPI_BASE_URL: url, RMAPI_GROUP_UID: groupUid, RMAPI_ACCESS_TOKEN: accessToken }
  return spawn(process.execPath, args, { env: { ...Object.fromEntries(own), ...settings }, stdio: 'ignore' })
}
const end = async (child: ChildProcess) => {
  if (child.exitCode === null && child.signalCode === null) await once(child, 'exit')
}

/** Waits until no process holds the folder any more: a run that lost its parent cannot be waited for as a child. */
async function released(out: string): Promise<void> {
  for (let waited = 0; existsSync(join(out, '.run-lock.json')) && waited < 60_000; waited += 100) await sleep(100)
}

/** Waits until the run has recorded its first create: before that there is nothing to leave behind. */
async function begun(out: string): Promise<void> {
  for (let waited = 0; waited < 60_000; waited += 50) {
    const [journal] = readdirSync(out).filter((name) => name.startsWith('journal-'))
    if (journal !== undefined && statSync(join(out, journal)).size > 500) return
    await sleep(50)
  }
}

async function kill(way: (typeof ways)[number], url: string, out: string): Promise<void> {
  const run = [main, 'run', '--out', out]
  const wrapper = `require('node:child_process').spawn(process.execPath, ${JSON.stringify(run)}, { stdio: 'ignore' }); setInterval(() => {}, 1000)`
  const child = start(way === 'parent killed' ? ['-e', wrapper] : run, url)
  await begun(out)
  await sleep(Math.random() * 15_000)
  if (way === '-9') child.kill('SIGKILL')
  else if (way === 'HUP') child.kill('SIGHUP')
  else if (way === 'TERM') child.kill('SIGTERM')
  else if (way === 'parent killed') child.kill('SIGKILL')
  else if (way === 'folder deleted') {
    rmSync(out, { recursive: true, force: true })
    child.kill('SIGTERM')
  } else {
    child.kill('SIGINT')
    await sleep(400 + Math.random() * 600)
    child.kill('SIGINT')
  }
  await end(child)
  if (way === 'parent killed') await released(out)
}

const failures: string[] = []
for (let count = 0; count < kills; count++) {
  const [way, latency] = [ways[count % ways.length]!, Math.floor(count / ways.length) % 2 === 0 ? 0 : 100]
  const out = mkdtempSync(join(tmpdir(), 'chaos-'))
  const { url, close } = await behind(latency)
  await kill(way, url, out)
  const journals = existsSync(out) ? readdirSync(out).filter((name) => /^journal-.*\.jsonl$/.test(name)) : []
  for (const name of journals) {
    const swept = start([main, 'sweep', join(out, name)], url)
    await end(swept)
    if (swept.exitCode !== 0) failures.push(`${count} ${way}, ${latency} ms: sweep ended with ${swept.exitCode}`)
  }
  if (everything() !== before) {
    failures.push(`${count} ${way}, ${latency} ms: the target is not as it was`)
    break
  }
  close()
  rmSync(out, { recursive: true, force: true })
  process.stderr.write(`${count + 1}/${kills} ${way}, ${latency} ms, ${journals.length} swept\n`)
}
for (const failure of failures) process.stdout.write(`${failure}\n`)
process.stdout.write(`CHAOS kills=${kills} failures=${failures.length}\n`)
await reference.close()
process.exit(failures.length === 0 ? 0 : 1)
