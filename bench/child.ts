import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import type { Running } from '../cli/run/target.ts'
import type { Ran, ToRun, ToServer, Traffic } from './message.ts'

const file = (name: string) => fileURLToPath(new URL(name, import.meta.url))

/** A reference in a process of its own. */
export interface Server {
  /** Restarts at the same address. */
  begin(delay?: number): Promise<Running>
  traffic(): Promise<Traffic>
  end(): void
}

/** Starts the process of a reference. */
export function startServer(): Server {
  const child = fork(file('server.js'))
  const asked = async <T>(message: ToServer): Promise<T> => {
    child.send(message)
    return answerOf<T>(child)
  }
  return {
    begin: (delay = 0) => asked({ begin: { delay } }),
    traffic: () => asked({ report: true }),
    end: () => void child.kill(),
  }
}

/** Runs the suite once, in a process of its own. */
export async function runOnce(toRun: ToRun = {}): Promise<Ran> {
  const child = fork(file('run.js'), [JSON.stringify(toRun)])
  const [ran] = await Promise.all([answerOf<Ran>(child), once(child, 'close')])
  return ran
}

async function answerOf<T>(child: ChildProcess): Promise<T> {
  return new Promise((resolve, reject) => {
    const ended = () => reject(new Error(`${child.spawnfile} ended without an answer`))
    child.once('close', ended)
    child.once('message', (message) => {
      child.off('close', ended)
      resolve(message as T)
    })
  })
}
