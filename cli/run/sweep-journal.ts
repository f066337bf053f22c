import { closeSync, existsSync, openSync, readFileSync, rmSync, writeSync } from 'node:fs'
import { textOf } from '../../helpers/api/journal.ts'
import { type JournalHeader, lineOf } from '../../helpers/api/journal-lines.ts'
import { type Swept, sweep } from '../../helpers/cleanup/sweep.ts'
import type { Config } from '../../helpers/settings/configuration.ts'
import { command, shellQuote } from '../../reports/text/curl.ts'
import { suite } from '../input/package.ts'

/** The first line of the journal of a run. */
export function headerOf({ target }: Config, run: string): JournalHeader {
  const { baseUrl, apiVersion, groupUid } = target
  const startedAt = new Date().toISOString()
  return { journal: 2, suite: suite.name, version: suite.version, run, baseUrl, apiVersion, groupUid, startedAt }
}

/** How to delete what a journal lists. */
export const sweepLine = (journal: string) => `Delete what is left with: ${command} sweep ${shellQuote(journal)}`

/** The journal of a run in progress: it can be read even if somebody deletes its folder meanwhile. */
export interface OpenJournal {
  path: string
  text(): string
  close(): void
}

/** Opens the journal of a run before the run writes to it: from then on a sweep knows which run it belongs to. */
export function openJournal(path: string, header: JournalHeader): OpenJournal {
  const file = openSync(path, 'a+', 0o600)
  writeSync(file, lineOf(header, ''))
  return { path, text: () => textOf(file), close: () => closeSync(file) }
}

/**
 * Deletes what the journal of this run lists except the spared groups, then the journal; the journal is kept if
 * something is left, or if it was not trusted.
 */
export async function sweepOwn(config: Config, journal: OpenJournal, spared: readonly string[] = []): Promise<Swept> {
  const came = await sweep(config, journal.text(), spared)
  if (came.sure && spared.length === 0) rmSync(journal.path, { force: true })
  return came
}

/** The same for a journal that an earlier run left; nothing if there is none. */
export async function sweepJournal(config: Config, path: string): Promise<Swept> {
  if (!existsSync(path)) return { ...nothing, sure: true }
  const came = await sweep(config, readFileSync(path, 'utf8'))
  if (came.sure) rmSync(path, { force: true })
  return came
}

const nothing: Swept = { left: [], refused: [], sure: false, requests: 0 }

/** What a report lists as left: what is there, and what could not be checked. */
export const leftIn = ({ left, refused, sure }: Swept): string[] =>
  sure ? [] : [...left, ...refused.map((line) => `unknown: ${line}; nothing was deleted for it`)]
