#!/usr/bin/env node
import { Command, CommanderError } from 'commander'
import { ConfigurationError } from '../helpers/config.ts'
import { selftestCommand } from '../selftest/command.ts'
import { addSettings, secretsHelp } from './flags.ts'
import { listCommand } from './list.ts'
import { suite } from './package.ts'
import { Refused } from './refused.ts'
import { replayCommand } from './replay.ts'
import { runCommand } from './run-command.ts'
import { serveCommand } from './serve.ts'
import { sweepCommand } from './sweep.ts'

const name = suite.name

const program = new Command(name)
  .description('Says, with proof, whether a server keeps the contract of the resource-management API v2.')
  .version(suite.version)
  .helpOption('-h, --help', 'show help')
  .exitOverride()
  .configureOutput({ outputError: (text, write) => write(text.replace(/^error: /, `${name}: `)) })
  .addHelpText(
    'after',
    `
Examples:
  ${name} run                                    examine the embedded reference server
  RMAPI_BASE_URL=… RMAPI_GROUP_UID=… RMAPI_ACCESS_TOKEN=… ${name} run
  ${name} run --only 'list.skip.*'               only some requirements
  ${name} list --json                            every requirement
  ${name} serve --fault 'skip is not echoed'     a server with one fault, to try things out

Exit codes: 0 conformant or partial, 1 nonconformant, 2 usage, settings or unreachable target,
            3 undetermined (or partial under --complete), 5 something was left behind in the target`,
  )

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
  ${name} run --base-url https://api.staging.example --group-uid 3f2a…f901
  ${name} run --only list.skip.echo --seed 42`,
  )
  .action(runCommand)

addSettings(
  program
    .command('replay')
    .description('examine the failed requirements of a report again, with the same inputs')
    .argument('<report>', 'the report.json of a run')
    .argument('[ids...]', 'only these requirements, by id or glob (default: those that failed or warned)'),
)
  .option('--out <folder>', 'where report.json and report.md go', 'reports/replay')
  .addHelpText(
    'after',
    `
The target is set as for run; the seed is the report's. Says for each requirement whether it fails again in the
same way, fails differently, or passes now. What only a whole run can tell may not show again alone.
Exit codes: 0 nothing fails any more, 1 something does, 2 no such report or id, or no target,
            3 something could not be told

${secretsHelp()}

Examples:
  ${name} replay reports/out/report.json
  ${name} replay reports/out/report.json group.story.changes`,
  )
  .action(replayCommand)

program
  .command('list')
  .description('print every requirement, or every statement of the contract with what tests it')
  .option(
    '--statements',
    'the statements of the contract, a line each: what tests it, what observes it, or why not',
  )
  .option('--json', 'as a JSON array')
  .addHelpText('after', `\nExamples:\n  ${name} list --json\n  ${name} list --statements`)
  .action(listCommand)

program
  .command('serve')
  .description('run the reference server until Ctrl-C, and print the settings that examine it')
  .option('--port <number>', 'the port to listen on; 0 takes a free one', '0')
  .option('--fault <name>', 'break one decision of the contract')
  .option('--variant <name>', 'take one open decision another way')
  .option('--names', 'print the names of all faults and variants instead')
  .addHelpText('after', `\nExample:\n  ${name} serve --port 8080 --fault 'skip is not echoed'`)
  .action(serveCommand)

addSettings(
  program
    .command('sweep')
    .description('delete what a run that was cut off left behind')
    .argument('<journal>', 'the journal-….jsonl in its --out folder'),
)
  .addHelpText('after', `\n${secretsHelp()}\n\nExample:\n  ${name} sweep reports/out/journal-0a1b2c3d.jsonl`)
  .action(sweepCommand)

program
  .command('selftest')
  .description(
    'examine servers with known faults and lawful odd ones, and say how well the suite tells them apart',
  )
  .argument('[names...]', 'only these faults and variants, by name or glob')
  .option('--out <folder>', 'where kill-matrix.md and kill-matrix.json go', 'reports/out')
  .option('--whole', 'each fault meets every requirement, each variant has a server of its own (an hour)')
  .option('--processes <number>', 'how many servers are examined side by side (default: one a core)')
  .option('--seed <number>', 'draws which variants share a server', '1')
  .option('--no-times', 'leave out how long each took, so that two files can be compared')
  .addHelpText('after', `\nExamples:\n  ${name} selftest\n  ${name} selftest 'skip*' --whole`)
  .action(selftestCommand)

// a reader that has seen enough, such as head, is no error
process.stdout.on('error', ({ code }: NodeJS.ErrnoException) => {
  if (code === 'EPIPE') process.exit()
})

try {
  await program.parseAsync()
} catch (error) {
  process.exitCode = exitCodeFor(error)
}

function exitCodeFor(error: unknown): number {
  if (error instanceof CommanderError) return error.exitCode === 0 ? 0 : 2
  if (error instanceof ConfigurationError) say(error.problems)
  else if (error instanceof Refused) say(error.message.split('\n'))
  else {
    say([`a bug of the suite: ${(error as Error).stack}`])
    // whatever it left open must not keep the process
    process.exit(3)
  }
  return 2
}

function say(lines: string[]): void {
  process.stderr.write(lines.map((line) => `${name}: ${line}\n`).join(''))
}
