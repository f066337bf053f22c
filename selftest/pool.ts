import { type ChildProcess, fork } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import type { Job, Result } from './message.ts'

const own = fileURLToPath(new URL('child.js', import.meta.url))

/** A run that takes longer hangs, in milliseconds. */
const longest = 300_000

/** Does jobs in several processes, each of which does one after the other. A process that crashes is replaced. */
export async function doAll(
  jobs: readonly Job[],
  processes: number,
  done: (job: Job, result: Result) => void,
  child: string = own,
): Promise<void> {
  const waiting = [...jobs]
  const work = async () => {
    let process: ChildProcess | undefined
    for (let job = waiting.shift(); job; job = waiting.shift()) {
      process ??= fork(child, { stdio: ['ignore', 'ignore', 'inherit', 'ipc'] })
      const result = await ask(process, job)
      if ('crash' in result) {
        process.kill('SIGKILL')
        process = undefined
      }
      done(job, result)
    }
    process?.disconnect()
  }
  await Promise.all(Array.from({ length: Math.min(processes, jobs.length) }, work))
}

function ask(child: ChildProcess, job: Job): Promise<Result> {
  return new Promise((resolve) => {
    const late = setTimeout(() => settle({ crash: `it had not ended after ${longest / 1000} seconds` }), longest)
    const ended = (code: number | null) => settle({ crash: `its process ended (${code})` })
    const failed = ({ message }: Error) => settle({ crash: message })
    const answered = (result: unknown) => settle(result as Result)
    const settle = (result: Result) => {
      clearTimeout(late)
      child.off('exit', ended).off('error', failed).off('message', answered)
      resolve(result)
    }
    child.on('exit', ended).on('error', failed).on('message', answered)
    child.send(job)
  })
}
