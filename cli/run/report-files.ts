import {
  accessSync,
  appendFileSync,
  chmodSync,
  constants,
  existsSync,
  mkdirSync,
  readdirSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import { didYouMean } from '../../helpers/settings/did-you-mean.ts'
import { type Format, type FormatName, formats } from '../../reports/formats/formats.ts'
import { toMarkdown } from '../../reports/formats/markdown.ts'
import { withinLimit } from '../../reports/formats/size-limit.ts'
import type { Report } from '../../schemas/types.ts'
import { Refused } from '../input/refused.ts'
import { writeHar } from '../trace/har-file.ts'

const names = Object.keys(formats) as FormatName[]

/** The formats in a list such as 'html,junit'; throws `Refused` if one is not known. */
export function formatsIn(list: string): FormatName[] {
  const words = list.split(',').flatMap((word) => word.trim() || [])
  const problems = words.flatMap((word) => (isName(word) ? [] : [unknown(word)]))
  if (words.length === 0) problems.push(`--report names no format. ${known}`)
  if (problems.length > 0) throw new Refused(problems.join('\n'))
  return [...new Set(words.filter(isName))]
}

const known = `There are: ${names.join(', ')}.`

function isName(word: string): word is FormatName {
  return names.some((name) => name === word)
}

function unknown(word: string): string {
  const meant = didYouMean(word, names)
  return `No report format is called '${word}'. ${meant ? `Did you mean '${meant}'?` : known}`
}

/** The formats, each with what it is, for the help. */
export function formatsHelp(): string {
  const lines = names.map((name) => `  ${name.padEnd(8)} ${placeOf(name).padEnd(16)} ${formats[name].says}`)
  return `Formats:\n${lines.join('\n')}`
}

function placeOf(name: FormatName): string {
  const format: Format = formats[name]
  return 'file' in format ? format.file : `${format.folder}/`
}

/** The folder without the report of an earlier run: a run that is refused must leave no certificate. */
export function cleared(out: string, wanted: readonly FormatName[]): string {
  try {
    makeFolder(resolve(out))
    accessSync(out, constants.W_OK)
    for (const format of Object.values<Format>(formats)) {
      if ('file' in format) rmSync(join(out, format.file), { force: true })
    }
    // a folder may hold files of others: it is only touched if its format is asked for
    for (const name of wanted) {
      if (!('file' in formats[name])) rmSync(join(out, placeOf(name)), { force: true, recursive: true })
    }
    return out
  } catch (error) {
    throw new Refused(`The report cannot be written to ${out}: ${(error as Error).message}`)
  }
}

/** True if a report is the one in a folder, where another one would replace it. */
export const isReportIn = (out: string, path: string) => resolve(path) === resolve(join(out, formats.json.file))

/** Folder by folder: Node's own recursive call never ends on a file system that accepts no folder. */
export function makeFolder(path: string): void {
  if (existsSync(path)) return
  makeFolder(dirname(path))
  mkdirSync(path)
}

/**
 * Writes a report in each of the formats, so that only its owner can read it; returns what could not be written. The
 * archive holds every exchange of the traces at these paths.
 */
export async function writeReport(
  report: Report,
  out: string,
  wanted: readonly FormatName[],
  traces: readonly string[] = [],
): Promise<string[]> {
  const unwritten: string[] = []
  for (const name of wanted) {
    const format: Format = formats[name]
    const path = join(out, placeOf(name))
    try {
      if (name === 'har' && traces.length > 0) await writeHar(report, traces, path)
      else if ('file' in format) writeFileSync(path, format.write(report), { mode: 0o600 })
      else {
        await format.fill(report, path)
        closeToOthers(path)
      }
    } catch (error) {
      const { code, message, syscall } = error as NodeJS.ErrnoException
      // anything else is not an error of the operating system
      if (code === undefined || syscall === undefined) throw error
      unwritten.push(`${path} could not be written: ${message}`)
      // half a file would be mistaken for a whole one
      if ('file' in format) rmSync(path, { force: true })
    }
  }
  return unwritten
}

function closeToOthers(folder: string): void {
  for (const entry of readdirSync(folder, { withFileTypes: true })) {
    const path = join(folder, entry.name)
    if (entry.isDirectory()) closeToOthers(path)
    else if (entry.isFile()) chmodSync(path, 0o600)
  }
}

/** The same if the report is the only thing to write: what cannot be written is refused. */
export async function mustWriteReport(
  report: Report,
  out: string,
  wanted: readonly FormatName[],
  traces: readonly string[] = [],
): Promise<void> {
  const unwritten = await writeReport(report, out, wanted, traces)
  if (unwritten.length > 0) throw new Refused(unwritten.join('\n'))
}

/** The line that names the files of the report. */
export function reportLine(out: string, wanted: readonly FormatName[]): string {
  return `Report: ${wanted.map((name) => join(out, placeOf(name))).join(', ')}\n`
}

/** GitHub accepts no more than this in the summary of a step, in bytes. */
const mostSummary = 1_000_000

/** Adds the report to the summary of a GitHub Actions step, if there is one; returns why that could not be done. */
export function appendSummary(report: Report, file: string | undefined): string[] {
  if (!file) return []
  const text = withinLimit(report, toMarkdown, mostSummary)
  try {
    appendFileSync(file, text)
    return []
  } catch (error) {
    return [`the summary of the step, ${file}, could not be written: ${(error as Error).message}`]
  }
}
