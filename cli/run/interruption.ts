import { readdirSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { command, shellQuote } from '../../reports/text/curl.ts'

/** The signals of a process that is no longer wanted: Ctrl-C, a cancelled job, a closed terminal. */
const signals = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const

/** How often to check that the process that started the run still exists, in milliseconds. */
const between = 500

/** The folder of the run in progress, and since when it is going on. */
let running: { out: string; since: number } | undefined

/** How to delete what the run in progress has made, a line for each of its journals; none without a run. */
export const sweepsNow = () =>
  running === undefined ? [] : journalsIn(running).map((path) => `  ${command} sweep ${shellQuote(path)}`)

/**
 * Aborted by the first Ctrl-C, by SIGTERM and SIGHUP, and when the process that started this one is gone; a second
 * Ctrl-C or SIGTERM ends the process at once.
 */
export function untilInterrupted(out: string): AbortSignal {
  const controller = new AbortController()
  running = { out, since: Date.now() }
  let first = 0
  const begin = (why: string) => {
    first = Date.now()
    process.stderr.write(`\nStopping: ${why}what the run made is deleted first. A second Ctrl-C ends it at once.\n`)
    controller.abort('the run was interrupted')
  }
  const stop = (signal: NodeJS.Signals) => {
    if (!controller.signal.aborted) return begin('')
    // a closing terminal sends several, and so does a process that passes a signal on to its whole group
    if (signal === 'SIGHUP' || Date.now() - first < 300) return
    const sweeps = sweepsNow()
    process.stderr.write(
      sweeps.length > 0
        ? `Ended. Delete what was left with:\n${sweeps.join('\n')}\n`
        : `Ended. There is no journal in ${out}: nothing was left.\n`,
    )
    process.exit(sweeps.length > 0 ? 5 : 3)
  }
  for (const signal of signals) process.on(signal, stop)
  const [parent, above] = [process.ppid, parentOf(process.ppid)]
  const timer = setInterval(() => {
    if (process.ppid === parent && parentOf(parent) === above) return
    clearInterval(timer)
    if (!controller.signal.aborted) begin('the process that started the run is gone; ')
  }, between)
  timer.unref()
  return controller.signal
}

/**
 * The journals in a folder, which list what runs made and did not delete; those of groups that stay for --resume only
 * if they were written since a moment, in milliseconds since 1970.
 */
function journalsIn({ out, since }: NonNullable<typeof running>): string[] {
  try {
    return readdirSync(out)
      .filter((name) => /^(journal|resume)-.*\.jsonl$/.test(name))
      .map((name) => join(out, name))
      .filter((path) => !/resume-[^/\\]*$/.test(path) || statSync(path).mtimeMs >= since)
  } catch {
    return []
  }
}

/** The parent of a process, because npx puts a shell in between; undefined if it is unknown. */
function parentOf(pid: number): number | undefined {
  // beyond npm and its shell, no process ends this run by ending
  if (process.env.npm_command === undefined || pid <= 1) return undefined
  try {
    const [, rest = ''] = /\) \w (\d+)/.exec(readFileSync(`/proc/${pid}/stat`, 'utf8')) ?? []
    return Number(rest)
  } catch {
    return undefined
  }
}
