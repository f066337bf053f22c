import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { shellQuote } from '../../reports/text/curl.ts'
import { suite } from '../input/package.ts'

/** What ends a process that a person or a job no longer wants: Ctrl-C, a job that is cancelled, a terminal that closes. */
const signals = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const

/** How often the process that started the run is looked for, in milliseconds. */
const between = 500

/**
 * Aborted by the first Ctrl-C, by SIGTERM and SIGHUP, and when the process that started this one is gone; the second
 * signal ends the process at once.
 */
export function untilInterrupted(out: string): AbortSignal {
  const controller = new AbortController()
  let first = 0
  const begin = (why: string) => {
    first = Date.now()
    process.stderr.write(`\nStopping: ${why}what the run made is deleted first. A second signal ends it at once.\n`)
    controller.abort('the run was interrupted')
  }
  const stop = (signal: NodeJS.Signals) => {
    if (!controller.signal.aborted) return begin('')
    // a terminal that closes sends several, and so does a process that passes a signal on to the whole group
    if (signal === 'SIGHUP' || Date.now() - first < 300) return
    const journals = shellQuote(join(out, 'journal-….jsonl'))
    process.stderr.write(`Ended: delete what was left with '${suite.name} sweep ${journals}'.\n`)
    process.exit(5)
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

/** The parent of a process, which npx puts a shell between; undefined where it is unknown. */
function parentOf(pid: number): number | undefined {
  // beyond npm and its shell nobody's end is this run's
  if (process.env.npm_command === undefined || pid <= 1) return undefined
  try {
    const [, rest = ''] = /\) \w (\d+)/.exec(readFileSync(`/proc/${pid}/stat`, 'utf8')) ?? []
    return Number(rest)
  } catch {
    return undefined
  }
}
