import { join } from 'node:path'
import type { Command } from 'commander'
import { toConsole } from '../reports/console.ts'
import { showProgress } from '../reports/progress.ts'
import type { Progress } from '../reports/reporter.ts'
import { visible } from '../reports/text.ts'
import { addSettings, secretsHelp, valuesOf } from './flags.ts'
import { suite } from './package.ts'
import { type Listener, runSuite } from './run.ts'

interface RunFlags extends Record<string, unknown> {
  only?: string[]
  skip?: string[]
  profile?: string[]
  out: string
  complete?: boolean
  resume?: string
}

/** Adds the verb `run`. */
export function addRun(program: Command): void {
  addSettings(program.command('run').description('examine a target and write a report'))
    .option('--only <ids...>', 'only these requirements, by id or glob')
    .option('--skip <ids...>', 'all but these requirements, by id or glob')
    .option('--profile <names...>', 'only these parts of the service')
    .option('--out <folder>', 'where report.json and report.md go', 'reports/out')
    .option('--resume <file>', 'spend the page tokens that a run three days ago kept in its resume-….json')
    .option('--complete', 'a partial verdict is not enough: exit 3')
    .addHelpText(
      'after',
      `
${secretsHelp()}

Examples:
  ${suite.name} run --base-url https://api.staging.example --group-uid 3f2a…f901
  ${suite.name} run --only list.skip.echo --seed 42`,
    )
    .action(runCommand)
}

/** `run`: examines the target and prints what came of it. */
async function runCommand(flags: RunFlags): Promise<void> {
  const { only = [], skip = [], profile = [], out, complete = false, resume } = flags
  const progress = showProgress(process.stderr)
  const { report, exitCode } = await runSuite({
    values: valuesOf(flags),
    selection: { only, skip, profiles: profile },
    out,
    complete,
    ...(resume === undefined ? {} : { resume }),
    signal: untilInterrupted(out),
    listener: announcing(progress),
  })
  progress.clear()
  const coloured = process.stdout.isTTY === true && !process.env.NO_COLOR
  process.stdout.write(
    `Report: ${join(out, 'report.json')}, ${join(out, 'report.md')}\n${toConsole(report, coloured)}`,
  )
  process.exitCode = exitCode
}

/** Says who is examined, and then how far the run is. */
export function announcing(progress: Progress): Listener {
  return {
    ...progress,
    opened({ target, seed }, remarks) {
      const who = `${target.name} (version ${target.version}) at ${target.baseUrl}`
      process.stdout.write(`Examining ${visible(who)}, seed ${seed}\n`)
      for (const remark of remarks) process.stderr.write(`${visible(remark)}\n`)
    },
  }
}

/** Aborted by the first Ctrl-C; the second ends the process at once. */
export function untilInterrupted(out: string): AbortSignal {
  const controller = new AbortController()
  const stop = () => {
    if (controller.signal.aborted) {
      process.stderr.write(
        `Ended: delete what stayed with 'rmapi-conformance sweep ${join(out, 'journal-….jsonl')}'.\n`,
      )
      process.exit(5)
    }
    process.stderr.write('\nStopping: what the run made is deleted first. Once more ends at once.\n')
    controller.abort()
  }
  process.on('SIGINT', stop)
  process.on('SIGTERM', stop)
  return controller.signal
}
