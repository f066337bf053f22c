import { readFileSync, rmSync, writeFileSync } from 'node:fs'
import { hostname } from 'node:os'
import { join, resolve } from 'node:path'
import { Refused } from '../input/refused.ts'
import { makeFolder } from './report-files.ts'

/** The file that a run keeps in its folder while it lasts. */
const lockName = '.run-lock.json'

/** Takes a folder for one run; a second run that wants it is refused. Gives it back when called. */
export function takeFolder(out: string): () => void {
  const path = join(out, lockName)
  const own = JSON.stringify({
    pid: process.pid,
    host: hostname(),
    startedAt: new Date().toISOString(),
    id: crypto.randomUUID(),
  })
  try {
    makeFolder(resolve(out))
    if (!create(path, own)) {
      mustBeOver(path, out)
      rmSync(path, { force: true })
      if (!create(path, own)) mustBeOver(path, out)
    }
  } catch (error) {
    if (error instanceof Refused) throw error
    throw new Refused(`The report cannot be written to ${out}: ${(error as Error).message}`)
  }
  return () => {
    try {
      if (readFileSync(path, 'utf8') === own) rmSync(path, { force: true })
    } catch {
      // the folder is gone, and the lock with it
    }
  }
}

function create(path: string, text: string): boolean {
  try {
    writeFileSync(path, text, { flag: 'wx', mode: 0o600 })
    return true
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') return false
    throw error
  }
}

/** Throws `Refused` unless the run that took the folder has ended. */
function mustBeOver(path: string, out: string): void {
  let holder: { pid?: unknown; host?: unknown; startedAt?: unknown } = {}
  try {
    holder = JSON.parse(readFileSync(path, 'utf8')) as typeof holder
  } catch {
    // the file was cut short by whatever ended that run
    return
  }
  const { pid, host, startedAt } = holder
  if (typeof pid !== 'number' || (host === hostname() && !isAlive(pid))) return
  throw new Refused(
    `Another run (process ${pid} on ${String(host)}, since ${String(startedAt)}) is writing to ${out}: give --out another folder, or remove ${path} if that run has ended.`,
  )
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM'
  }
}
