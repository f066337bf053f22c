import { existsSync, readFileSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { readJournal } from '../../helpers/api/journal-lines.ts'
import type { Swept } from '../../helpers/cleanup/sweep.ts'
import { dueOf, type Kept, readKept } from '../../helpers/expiry/deferred-tokens.ts'
import type { Selection } from '../../helpers/requirement/selection.ts'
import type { Config, Target } from '../../helpers/settings/configuration.ts'
import { unreadable } from '../../helpers/settings/setting-files.ts'
import { command, shellQuote } from '../../reports/text/curl.ts'
import { visible } from '../../reports/text/visible-text.ts'
import type { Report } from '../../schemas/types.ts'
import { Refused } from '../input/refused.ts'
import { sweepJournal } from './sweep-journal.ts'

/** The requirements of the time part: those that a resumed run decides. */
const decidedByDays = ['list.token.lives*', 'list.token.restarts*', 'time.follows*', 'sts.token.hour.*']

/**
 * Refuses a file of page tokens that cannot be read, that another target issued, or whose group is below another one than
 * is set, and so could not be deleted; returns the run that left it.
 */
export function mustBeFor({ baseUrl, apiVersion, groupUid }: Target, path: string): string {
  const kept = read(path)
  if (kept.baseUrl !== baseUrl || kept.apiVersion !== apiVersion) {
    throw new Refused(
      `${path} keeps page tokens of ${kept.baseUrl} (${kept.apiVersion}), and this run examines ${baseUrl} (${apiVersion}).`,
    )
  }
  const journal = lastingJournal(path)
  const { header } = existsSync(journal) ? readJournal(readFileSync(journal, 'utf8')) : {}
  if (header !== undefined && header.groupUid.toLowerCase() !== groupUid.toLowerCase())
    throw new Refused(
      `${path} belongs to a group that stays below ${header.groupUid}, and the settings name ${groupUid}: set RMAPI_GROUP_UID as it was for the first run.`,
    )
  return kept.run
}

function read(path: string): Kept {
  try {
    return readKept(path)
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException
    const why = code === undefined ? visible(message) : `it ${unreadable(error)}`
    throw new Refused(
      `${path} cannot be resumed: ${why}. A run with --for-resume leaves resume-….json in its --out folder.`,
    )
  }
}

/** The requirements that take days to decide, unless others are picked. */
export function onlyDecidedByDays(selection: Selection): Selection {
  const { only, skip, profiles } = selection
  return only.length + skip.length + profiles.length > 0 ? selection : { ...selection, only: decidedByDays }
}

/** The run that left page tokens in a file, if it left any. */
export function keptIn(path: string): string | undefined {
  return existsSync(path) ? readKept(path).run : undefined
}

/** What an operator should know about what a run left for a later one; nothing if it left nothing. */
export function aboutResuming({ resumable, resumes, requirements, problems }: Report, out: string): string {
  const isDecided = problems.length === 0 && requirements.some(({ outcome }) => outcome !== 'inconclusive')
  if (resumes !== undefined && !isDecided) return ''
  if (resumes !== undefined)
    return `Combine this report with the one of the earlier run: ${command} report --merge …/report.json ${shellQuote(join(out, 'report.json'))}\n`
  const path = join(out, `resume-${resumable}.json`)
  if (resumable === undefined || !existsSync(path)) return ''
  const { from, until } = dueOf(readKept(path))
  const journal = lastingJournal(path)
  return [
    `Between ${from} and ${until}, continue with: ${command} run --resume ${shellQuote(path)} --wait --out later`,
    ...(existsSync(journal)
      ? [
          `A group stays in the target until then; if you do not continue, delete it with: ${command} sweep ${shellQuote(journal)}`,
        ]
      : []),
    '',
  ].join('\n')
}

/** Refuses to overwrite the report of the run that is continued: both are merged later. */
export function mustSpareFirst(path: string, out: string): void {
  const first = join(out, 'report.json')
  if (!existsSync(path) || !existsSync(first)) return
  const [, resumable] = /"resumable": ?"([^"]*)"/.exec(readFileSync(first, 'utf8')) ?? []
  if (resumable !== undefined && resumable === read(path).run)
    throw new Refused(
      `${first} is the report of the run that this one continues: name another folder, for example --out later.`,
    )
}

/** The journal of the group that outlives a run for its page tokens. */
const lastingJournal = (path: string) => join(dirname(path), basename(path).replace(/\.json$/, '.jsonl'))

/** Deletes what outlived a run for its page tokens, once there are none, or the last one is used. */
export async function sweepLasting(config: Config, path: string): Promise<Swept | undefined> {
  const { lists = {} } = existsSync(path) ? readKept(path) : {}
  const waits = Object.values(lists).some(({ tokens }) => tokens.justAfter !== undefined)
  if (waits) return undefined
  return sweepJournal(config, lastingJournal(path)).catch((error: Error) => {
    if (error.name !== 'OtherTarget') throw error
    return { left: [], refused: [error.message], sure: false, requests: 0 }
  })
}
