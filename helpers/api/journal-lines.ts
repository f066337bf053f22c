import { createHash } from 'node:crypto'
import { type KindName, kinds } from './kinds.ts'
import { isObject } from './received.ts'
import { holds, isCanonical } from './resource-path.ts'

/** One thing that the run intended to make. */
export interface Entry {
  kind: KindName
  parent: string
  /** Absent where no text was sent. */
  name?: string
  /** Its later names, where its place does not show that it is the run's. */
  names?: string[]
  /** Absent until an answer shows it. */
  uid?: string
  /** What else was sent that is unique to it. */
  marks?: { identityUid?: string; subject?: string }
  /** What an update sent in place of these, where its place does not show that it is the run's. */
  laterMarks?: string[]
  /** The run's own scratch group. */
  root?: true
  /** True where its create was refused: it exists only if the target made it anyway. */
  refused?: true
  /** The name in the answer, where it differs from the one sent. */
  shown?: string
}

/** The first line of a journal: which run wrote it, and against what. */
export interface JournalHeader {
  journal: 2
  suite: string
  version: string
  run: string
  baseUrl: string
  apiVersion: string
  groupUid: string
  startedAt: string
}

/** The contents of a journal; a line that cannot be trusted is only in `refused`, with its number and the reason. */
export interface ReadJournal {
  /** Absent where the first line is not a header. */
  header?: JournalHeader
  entries: Entry[]
  refused: string[]
  /** True where the last line was cut short: nothing was sent for it yet, or it repeats one. */
  torn: boolean
}

/** The digest by which a line continues the one before it. */
export function sumOf(line: string): string {
  return /"sum":"([0-9a-f]{16})"\}\n?$/.exec(line)?.[1] ?? ''
}

/** A line of a journal: a record with a digest over itself and all lines before it. */
export function lineOf(record: Entry | JournalHeader, before: string): string {
  const text = JSON.stringify(record)
  return `${text.slice(0, -1)},"sum":"${digest(before, text)}"}\n`
}

function digest(before: string, text: string): string {
  return createHash('sha256').update(before).update(text).digest('hex').slice(0, 16)
}

/** Reads a journal; a line that does not continue the one before, or lies outside its group, is not believed. */
export function readJournal(text: string): ReadJournal {
  const lines = text.split('\n')
  const unended = lines.pop() ?? ''
  const entries: Entry[] = []
  const refused: string[] = []
  const [first = '', ...rest] = lines
  const header = headerIn(first)
  if (header === undefined) return { entries, refused, torn: false }
  let before = sumOf(first)
  rest.forEach((line, index) => {
    const read = believed(line, before, header)
    if (typeof read === 'string') refused.push(`line ${index + 2} ${read}`)
    else {
      entries.push(read)
      before = sumOf(line)
    }
  })
  if (unended !== '') refused.push(`line ${lines.length + 1} is torn: the run ended while it was written`)
  return { header, entries, refused, torn: unended !== '' && refused.length === 1 }
}

function headerIn(line: string): JournalHeader | undefined {
  const record = recordIn(line)
  if (record === undefined || record.journal !== 2 || !continues(line, '')) return undefined
  const wanted = ['suite', 'version', 'run', 'baseUrl', 'apiVersion', 'groupUid', 'startedAt'] as const
  return wanted.every((name) => typeof record[name] === 'string') ? (record as unknown as JournalHeader) : undefined
}

function continues(line: string, before: string): boolean {
  const text = line.replace(/,"sum":"[0-9a-f]{16}"\}$/, '}')
  return sumOf(line) === digest(before, text)
}

function recordIn(line: string): Record<string, unknown> | undefined {
  try {
    const record: unknown = JSON.parse(line)
    return isObject(record) ? record : undefined
  } catch {
    return undefined
  }
}

/** The entry of a line, or why nothing is deleted for it. */
function believed(line: string, before: string, { groupUid }: JournalHeader): Entry | string {
  const record = recordIn(line)
  if (record === undefined) return 'is torn: it is no JSON object'
  if (!continues(line, before)) return 'was changed after the run wrote it, or was moved'
  const { kind, parent, uid, name, root } = record
  if (typeof kind !== 'string' || !Object.hasOwn(kinds, kind) || typeof parent !== 'string')
    return 'names no kind of resource and its parent'
  if (![uid, name].every((text) => text === undefined || typeof text === 'string'))
    return 'holds no text as name or uid'
  const places = [parent, ...(typeof uid === 'string' ? [uid] : [])]
  const bad = places.find((place) => !isCanonical(place))
  if (bad !== undefined) return `names '${bad.slice(0, 200)}', which a gateway could read as something else`
  if (typeof uid === 'string' && holds(uid, groupUid))
    return `names '${uid}', which is or contains the operator's group`
  const below = parent.toLowerCase() === groupUid.toLowerCase()
  if ((root === true) !== below) return `names something of '${parent}' that is no group of the run's own`
  return record as unknown as Entry
}

/** The members of a body that is sent, in whichever form. */
function membersOf(body: unknown): Record<string, unknown> {
  if (!isObject(body)) return {}
  if (typeof body.raw !== 'string') return body
  try {
    const read: unknown = JSON.parse(body.raw)
    return isObject(read) ? read : {}
  } catch {
    return {}
  }
}

/** What is sent that is unique to a resource. */
export function uniqueIn(body: unknown): { name?: string; identityUid?: string; subject?: string } {
  const { name, identityUid, claimMatch } = membersOf(body)
  const subject = isObject(claimMatch) ? claimMatch.subject : undefined
  return {
    ...(typeof name === 'string' && { name }),
    ...(typeof identityUid === 'string' && { identityUid }),
    ...(typeof subject === 'string' && { subject }),
  }
}
