import { type Selection, type Shard, selected } from '../../helpers/requirement/selection.ts'
import { textIn, unreadable } from '../../helpers/settings/setting-files.ts'
import type { Report, Requirement } from '../../schemas/types.ts'
import { Refused } from './refused.ts'

/** Everything that may be asked for. */
export const everything: Selection = { only: [], skip: [], profiles: [] }

/** What the flags pick, a flag's value being an id, a glob, or `@` and a file of them. */
export function selectionOf(flags: {
  only?: string[]
  skip?: string[]
  profile?: string[]
  shard?: string
}): Selection {
  const { only = [], skip = [], profile = [], shard } = flags
  return {
    only: only.flatMap(named),
    skip: skip.flatMap(named),
    profiles: profile,
    ...(shard === undefined ? {} : { shard: shardFrom(shard) }),
  }
}

/** True if a run was asked for a requirement that the report of another run, its holder, has. */
export function wasAskedFor({ selection }: Report, row: Requirement, holder: Report): boolean {
  // rows do not say whether they are about HTTP itself
  if (selection.transport === 'grpc' && holder.selection.transport !== 'grpc') return false
  const { judges, ...header } = row
  return selected({ quote: '', ...header, ...(judges && { alone: judges }) }, selection)
}

/** The ids and globs in a file, one per line; what follows a # is a comment. */
function named(word: string): string[] {
  if (!word.startsWith('@')) return [word]
  const file = word.slice(1)
  const ids = read(file)
    .split(/\r?\n/)
    .map((line) => line.replace(/#.*/, '').trim())
    .filter((line) => line !== '')
  if (ids.length === 0) throw new Refused(`${file} names no requirement: write one id or glob per line`)
  return ids
}

function read(file: string): string {
  try {
    return textIn(file)
  } catch (error) {
    throw new Refused(`${file} ${unreadable(error)}: give @ and a file of ids`)
  }
}

function shardFrom(text: string): Shard {
  const [, index, of] = (/^(\d{1,4})\/(\d{1,4})$/.exec(text) ?? []).map(Number)
  if (index && of && index <= of) return { index, of }
  throw new Refused(`--shard is '${text}', not the ith of n parts, for example --shard 1/4`)
}
