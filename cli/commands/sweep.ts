import { existsSync, readFileSync } from 'node:fs'
import { createInterface } from 'node:readline/promises'
import type { Command } from 'commander'
import type { Config } from '../../helpers/settings/configuration.ts'
import { readConfig } from '../../helpers/settings/read-configuration.ts'
import { unreadable } from '../../helpers/settings/setting-files.ts'
import { visible } from '../../reports/text/visible-text.ts'
import { addSettings, secretsHelp, valuesOf } from '../input/flags.ts'
import { suite } from '../input/package.ts'
import { Refused } from '../input/refused.ts'

interface SweepFlags extends Record<string, unknown> {
  olderThan?: string
  yes?: boolean
}

/** Adds the verb `sweep`. */
export function addSweep(program: Command): void {
  addSettings(
    program
      .command('sweep')
      .description('delete what a run that was cut off left behind')
      .argument('[journal]', 'the journal-….jsonl in its --out folder'),
  )
    .option(
      '--older-than <duration>',
      'without a journal: find the groups of runs by their names, if they are at least this old',
    )
    .option('--yes', 'with --older-than: delete without asking')
    .addHelpText(
      'after',
      `
Nothing is deleted for a line of the journal that is torn, was changed, is from another server, or names something
outside the run's own group; each such line is printed. Without a journal, sweep looks directly below RMAPI_GROUP_UID.
Exit codes: 0 nothing of that run is left, 2 no journal, or one from another server, 5 something is left, or may be

${secretsHelp()}

Examples:
  ${suite.name} sweep reports/out/journal-0a1b2c3d.jsonl
  ${suite.name} sweep --older-than 6h`,
    )
    .action(sweepCommand)
}

/** `sweep`: deletes what runs made and could not delete themselves. */
async function sweepCommand(journal: string | undefined, flags: SweepFlags): Promise<void> {
  const { olderThan } = flags
  if ((journal === undefined) === (olderThan === undefined))
    throw new Refused('Give either a journal-….jsonl of a run or --older-than, for example --older-than 6h.')
  if (journal !== undefined && !existsSync(journal))
    throw new Refused(`There is no journal ${journal}. A run that was cut off leaves one in its --out folder.`)
  if (journal !== undefined) mustBeJournal(journal)
  const { durationOf } = await import('../run/limits.ts')
  const least = olderThan === undefined ? 0 : durationOf('--older-than', olderThan)
  const config = readConfig(valuesOf(flags), process.env)
  if (journal === undefined) return sweepByAge(config, { age: olderThan!, least }, flags.yes === true)
  const { sweepJournal } = await import('../run/sweep-journal.ts')
  const { left, refused, sure } = await stillDeleting(sweepJournal(config, journal)).catch((error: Error) => {
    throw error.name === 'OtherTarget' ? new Refused(error.message) : error
  })
  for (const line of refused) process.stderr.write(`Refused: ${visible(line)}. Nothing was deleted for it.\n`)
  for (const uid of left) process.stderr.write(`Left behind: ${visible(uid)}\n`)
  if (sure) process.stdout.write('Nothing of that run is left.\n')
  else process.stderr.write(`The journal is kept: ${journal}\n`)
  process.exitCode = sure ? 0 : 5
}

/** Refuses a file in which no run wrote a line; one whose first line is damaged may still name what is left. */
function mustBeJournal(path: string): void {
  let text: string
  try {
    text = readFileSync(path, 'utf8')
  } catch (error) {
    throw new Refused(`${path} ${unreadable(error)}. Give the journal-….jsonl that a run left in its --out folder.`)
  }
  const isLine = (line: string) => /^\{"(journal|kind)":.*"sum":"[0-9a-f]{16}"\}$/.test(line)
  if (text.split('\n').some(isLine)) return
  throw new Refused(
    `${path} is no journal: no line of it was written by a run. Give the journal-….jsonl, or the resume-….jsonl, that a run left in its --out folder, or find what is left with --older-than.`,
  )
}

/** Finds the groups of runs below the operator's group by name, shows them, and deletes them after confirmation. */
async function sweepByAge(given: Config, { age, least }: { age: string; least: number }, yes: boolean) {
  const { rootsOlderThan, sweepRoots } = await import('../../helpers/cleanup/sweep.ts')
  const { preflight } = await import('../run/preflight.ts')
  const { config } = await preflight(given)
  const { groupUid, baseUrl } = config.target
  const roots = await rootsOlderThan(config, least).catch((error: Error) => {
    throw new Refused(
      `The groups below ${groupUid} at ${baseUrl} cannot be listed: ${error.message}. Check RMAPI_GROUP_UID.`,
    )
  })
  if (roots.length === 0) {
    process.stdout.write(`No group of a run below ${groupUid} at ${baseUrl} is ${age} old or older.\n`)
    return
  }
  for (const { uid, name, createTime } of roots)
    process.stdout.write(`${visible(uid)}  ${visible(name)}  made ${visible(createTime)}\n`)
  if (!yes && !(await confirmed(roots.length))) {
    process.stdout.write('Nothing was deleted.\n')
    process.exitCode = 5
    return
  }
  const { left } = await stillDeleting(sweepRoots(config, roots)).catch((error: Error) => ({
    left: roots.map(({ uid }) => `${uid} (${error.message})`),
  }))
  for (const uid of left) process.stderr.write(`Left behind: ${visible(uid)}\n`)
  if (left.length === 0) process.stdout.write(`Deleted ${roots.length} with everything in them.\n`)
  process.exitCode = left.length === 0 ? 0 : 5
}

/** Says every ten seconds that a sweep goes on: one that is refused is tried again for minutes. */
async function stillDeleting<T>(sweeping: Promise<T>): Promise<T> {
  const saying = setInterval(() => process.stderr.write('Still deleting …\n'), 10_000)
  return sweeping.finally(() => clearInterval(saying))
}

async function confirmed(count: number): Promise<boolean> {
  const lines = createInterface({ input: process.stdin, output: process.stderr })
  const closed = new Promise<string>((resolve) => lines.once('close', () => resolve('')))
  const answer = await Promise.race([lines.question(`Delete ${count} with everything in them? (yes/no) `), closed])
  lines.close()
  return answer.trim() === 'yes'
}
