import { type ChildProcess, spawn } from 'node:child_process'
import { join } from 'node:path'
import { packageRoot } from '../../../cli/input/package.ts'

const main = join(packageRoot, 'dist/cli/main.js')

export type Environment = Record<string, string>

/** What a program said before it ended. */
export interface Ended {
  code: number | null
  stdout: string
  stderr: string
  /** The last line of what it printed. */
  last: string
}

/** What the tests' own runner, npm and CI set must reach nothing that is started. */
const foreign = /^(RMAPI_|VITEST|CI$|NODE_ENV$|TEST$|FORCE_COLOR$|GITHUB_|INIT_CWD$|npm_(?!config_))/

/** The environment without what belongs to this run of the tests. */
export function plainEnvironment(): Environment {
  return Object.fromEntries(
    Object.entries(process.env).flatMap(([name, value]) =>
      foreign.test(name) || value === undefined ? [] : [[name, value]],
    ),
  )
}

/** Starts the command line as it is shipped, in a folder and with no setting but the given ones; `input` is typed into it. */
export function start(folder: string, args: string[], environment: Environment = {}, input?: string): ChildProcess {
  const child = spawn(process.execPath, [main, ...args], {
    cwd: folder,
    env: { ...plainEnvironment(), ...environment },
    stdio: ['pipe', 'pipe', 'pipe'],
  })
  child.stdin.end(input)
  return child
}

/** Waits for the end of a program, and returns what it said. */
export async function ended(child: ChildProcess): Promise<Ended> {
  const text = { stdout: '', stderr: '' }
  child.stdout!.on('data', (chunk) => {
    text.stdout += chunk
  })
  child.stderr!.on('data', (chunk) => {
    text.stderr += chunk
  })
  const code = await new Promise<number | null>((resolve, reject) => child.once('close', resolve).once('error', reject))
  return { code, ...text, last: text.stdout.trimEnd().split('\n').at(-1) ?? '' }
}

/** Waits for the settings that `serve` prints, and throws what it said where it ends without them. */
export async function settingsOf(child: ChildProcess): Promise<Environment> {
  const printed = await new Promise<string>((resolve, reject) => {
    let text = ''
    child.once('error', reject).once('close', (code) => reject(new Error(`serve ended with ${code}: ${text}`)))
    for (const stream of [child.stdout!, child.stderr!]) {
      stream.on('data', (chunk) => {
        text += chunk
        if (/RMAPI_ACCESS_TOKEN=.*\n/.test(text) && /RMAPI_CLOCK_URL=.*\n/.test(text)) resolve(text)
      })
    }
  })
  return Object.fromEntries([...printed.matchAll(/^export (\w+)=(.*)$/gm)].map(([, name, value]) => [name, value]))
}
