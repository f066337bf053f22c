import { type ChildProcess, spawn } from 'node:child_process'
import { join } from 'node:path'
import { suite } from '../../cli/input/package.ts'
import { type Ended, type Environment, ended, plainEnvironment } from '../support/runs/child.ts'

/** How a program is started. */
interface How {
  cwd: string
  environment?: Environment
  /** It is typed into later. */
  asks?: true
  /** The account that it runs as; only root may choose. */
  uid?: number
}

/** Starts a program. */
export function begin(command: string, args: string[], { cwd, environment, asks, uid }: How): ChildProcess {
  const child = spawn(command, args, {
    cwd,
    env: { ...plainEnvironment(), ...environment },
    ...(uid === undefined ? {} : { uid, gid: uid }),
  })
  if (!asks) child.stdin.end()
  return child
}

/** Runs a program to its end. */
export const run = (command: string, args: string[], how: How): Promise<Ended> => ended(begin(command, args, how))

/** Runs npm in a folder, and throws what it said where that fails. */
export async function npm(args: string[], cwd: string): Promise<void> {
  const { code, stdout, stderr } = await run('npm', [...args, '--prefer-offline', '--no-audit', '--no-fund'], {
    cwd,
  })
  if (code !== 0) throw new Error(`npm ${args.join(' ')} ended with ${code}:\n${stdout}${stderr}`)
}

/** The command line of the suite that is installed in a folder. */
export const mainIn = (folder: string) => join(folder, 'node_modules', suite.name, 'dist/cli/main.js')
