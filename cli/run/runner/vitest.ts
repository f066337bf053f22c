import { dirname, extname, join } from 'node:path'
import { Writable } from 'node:stream'
import { fileURLToPath } from 'node:url'
import type { ProvidedContext } from 'vitest'
import type { CliOptions, Reporter, Vitest } from 'vitest/node'

const here = fileURLToPath(import.meta.url)
const root = dirname(dirname(dirname(dirname(here))))

/** How requirements always run: side by side in one worker, and without reading anything in the caller's folder. */
export const requirementOptions = {
  root,
  // the one spec that imports all others
  include: [`specs/all.spec${extname(here)}`],
  exclude: [],
  environment: 'node',
  globals: false,
  css: false,
  pool: 'threads',
  isolate: false,
  maxWorkers: 1,
  // compiled files are not compiled again
  server: { deps: { external: extname(here) === '.js' ? [beginningWith(`${root}/`)] : [] } },
  maxConcurrency: 64,
  sequence: { concurrent: true },
  testTimeout: 0,
  hookTimeout: 0,
} satisfies CliOptions

function beginningWith(path: string): RegExp {
  return new RegExp(`^${path.replaceAll('\\', '/').replace(/[.+?^${}()|[\]\\]/g, '\\$&')}`)
}

/** A vitest of our own that prints nothing and leaves the process as it was. */
async function openVitest(
  provide: Partial<ProvidedContext>,
  reporter: Reporter,
  { shuffle = false }: { shuffle?: boolean },
): Promise<Vitest> {
  const nothing = () => new Writable({ write: (_chunk, _encoding, done) => done() })
  const options: CliOptions = {
    ...requirementOptions,
    // twice as many cases as calls may be in progress: no call waits for a case
    maxConcurrency: Math.max(requirementOptions.maxConcurrency, 2 * (provide.run?.config.concurrency ?? 0)),
    runner: join(dirname(here), `ordered-runner${extname(here)}`),
    config: false,
    dir: root,
    watch: false,
    run: true,
    api: false,
    cache: false,
    reporters: [reporter],
    provide: { ...provide, shuffle } as ProvidedContext,
    passWithNoTests: true,
  }
  const heard = withoutSignals()
  try {
    // what runs nothing starts without it
    const { createVitest } = await import('vitest/node')
    return await createVitest('test', options, ofVite, { stdout: nothing(), stderr: nothing() })
  } finally {
    heard()
  }
}

/** Keeps loaded code from ending the process at the first Ctrl-C, before anything is swept, until it is called off. */
function withoutSignals(): () => void {
  const refuse = (event: string | symbol, listener: () => void) => {
    if (signals.some((signal) => signal === event)) queueMicrotask(() => process.off(event, listener))
  }
  process.on('newListener', refuse)
  return () => process.off('newListener', refuse)
}

const ofVite = { envFile: false, logLevel: 'silent', clearScreen: false } as const
const signals = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const

/** Runs or collects with a vitest of our own; exit code and environment are as before when it is done. */
export async function withVitest<T>(
  provide: Partial<ProvidedContext>,
  reporter: Reporter,
  how: { shuffle?: boolean },
  use: (vitest: Vitest) => Promise<T>,
): Promise<T> {
  const { exitCode } = process
  const environment = { ...process.env }
  const vitest = await openVitest(provide, reporter, how)
  try {
    return await use(vitest)
  } finally {
    await vitest.close()
    process.exitCode = exitCode
    for (const name of Object.keys(process.env)) {
      if (!(name in environment)) delete process.env[name]
    }
  }
}
