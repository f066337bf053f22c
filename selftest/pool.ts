import { type ChildProcess, fork } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import type { Job, Result } from './message.ts'

const file = fileURLToPath(new URL('child.js', import.meta.url))

/** A run that takes longer hangs, in milliseconds. */
const longest = 300_000

/** Does jobs side by side, each process one after the other; a process that ends is a result, too, and is replaced. */
export async function doAll(
  jobs: readonly Job[],
  processes: number,
  done: (job: Job, result: Result) => void,
): Promise<void> {
  const waiting = [...jobs]
  const work = async () => {
    let child: ChildProcess | undefined
    for (let job = waiting.shift(); job; job = waiting.shift()) {
      child ??= fork(file, { stdio: ['ignore', 'ignore', 'inherit', 'ipc'] })
      const result = await ask(child, job)
      if ('crash' in result) {
        child.kill('SIGKILL')
        child = undefined
      }
      done(job, result)
    }
    child?.disconnect()
  }
  await Promise.all(Array.from({ length: Math.min(processes, jobs.length) }, work))
}

function ask(child: ChildProcess, job: Job): Promise<Result> {
  return new Promise((resolve) => {
    const late = setTimeout(
      () => settle({ crash: `it had not ended after ${longest / 1000} seconds` }),
      longest,
    )
    const ended = (code: number | null) => settle({ crash: `its process ended (${code})` })
    const told = (result: unknown) => settle(result as Result)
    const settle = (result: Result) => {
      clearTimeout(late)
      child.off('exit', ended).off('message', told)
      resolve(result)
    }
    child.on('exit', ended).on('message', told)
    child.send(job)
  })
}
