#!/usr/bin/env node
import './memory.ts'
import { Command, CommanderError } from 'commander'
import { ConfigurationError } from '../helpers/settings/configuration.ts'
import { addSelftest } from '../selftest/command.ts'
import { addBaseline } from './commands/baseline.ts'
import { addCertify } from './commands/certify.ts'
import { addCompare } from './commands/compare.ts'
import { addExplain } from './commands/explain.ts'
import { addExplore } from './commands/explore.ts'
import { addInit } from './commands/init.ts'
import { addJudge } from './commands/judge.ts'
import { addList } from './commands/list.ts'
import { addPlan } from './commands/plan.ts'
import { addReplay } from './commands/replay.ts'
import { addReport } from './commands/report.ts'
import { addRun } from './commands/run.ts'
import { addServe } from './commands/serve.ts'
import { addSweep } from './commands/sweep.ts'
import { addVerify } from './commands/verify.ts'
import { suite } from './input/package.ts'
import { Refused } from './input/refused.ts'
import { sweepsNow } from './run/interruption.ts'

const name = suite.name

const program = new Command(name)
  .description(
    'Checks whether a server conforms to the contract of the resource-management API v2, and shows the evidence.',
  )
  .version(suite.version)
  .helpOption('-h, --help', 'show help')
  .exitOverride()
  .showHelpAfterError(`To see what can be given, add --help.`)
  .configureOutput({ outputError: (text, write) => write(text.replace(/^error: /, `${name}: `)) })
  .addHelpText(
    'after',
    `
Examples:
  ${name}                                        examine the embedded reference server: run is the default
  RMAPI_BASE_URL=… RMAPI_GROUP_UID=… RMAPI_ACCESS_TOKEN=… ${name} run
  ${name} run --only 'list.skip.*'               only some requirements
  ${name} list --json                            every requirement
  ${name} serve --fault 'skip is not echoed'     a server with one fault, to try things out

Exit codes: 0 conformant or partial, 1 nonconformant, 2 usage, settings or unreachable target,
            3 undetermined (or partial under --complete), 4 the baseline no longer fits, 5 something was left behind in the target`,
  )

// each verb brings its own options and help
addRun(program)
addExplore(program)
addReplay(program)
addReport(program)
addCompare(program)
addBaseline(program)
addCertify(program)
addVerify(program)
addJudge(program)
addList(program)
addExplain(program)
addPlan(program)
addInit(program)
addServe(program)
addSweep(program)
addSelftest(program)

// without a verb, with or without flags, a run is meant
const words = process.argv.slice(2)
const [first = '-'] = words
const isBare = first.startsWith('-') && !['-h', '--help', '-V', '--version'].includes(first)
const verb = isBare ? 'run' : first
// commander would answer with the help of all commands
const isUnknown = first === 'help' && words.length > 1 && !program.commands.some((each) => each.name() === words[1])

// a reader that has seen enough, such as head, is not an error; a verb that writes to a target goes on, to sweep it
for (const stream of [process.stdout, process.stderr]) {
  stream.on('error', ({ code }: NodeJS.ErrnoException) => {
    if (code === 'EPIPE' && !['run', 'explore', 'replay'].includes(verb)) process.exit()
  })
}

// Node would end with 1, which means nonconformant
process.on('uncaughtException', bug)

try {
  await program.parseAsync(isBare ? ['run', ...words] : words.slice(isUnknown ? 1 : 0), { from: 'user' })
} catch (error) {
  process.exitCode = exitCodeFor(error)
}

function exitCodeFor(error: unknown): number {
  if (error instanceof CommanderError) return error.exitCode === 0 ? 0 : 2
  if (error instanceof ConfigurationError) say(error.problems)
  else if (error instanceof Refused) {
    say(error.message.split('\n'))
    return error.exitCode
  } else if (isOfTheSystem(error)) say([`the operating system refused: ${(error as Error).message}`])
  else {
    bug(error as Error)
  }
  return 2
}

/** Ends the process, whatever is still open, and says how to delete what a run has made. */
function bug(error: Error): never {
  const sweeps = sweepsNow()
  const left = sweeps.length > 0 ? ['Delete what was left with:', ...sweeps] : []
  say([`a bug of the suite: ${error.stack}`, ...left])
  process.exit(3)
}

/** True for an error of the operating system, such as a full disk: not a bug of the suite. */
function isOfTheSystem(error: unknown): boolean {
  const { code, syscall } = error as NodeJS.ErrnoException
  return /^E[A-Z0-9]+$/.test(code ?? '') && syscall !== undefined
}

function say(lines: string[]): void {
  process.stderr.write(lines.map((line) => `${name}: ${line}\n`).join(''))
}
