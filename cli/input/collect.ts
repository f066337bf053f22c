import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Header } from '../../helpers/requirement/header.ts'
import { isCalled, matchesGlob, type Selection, selected } from '../../helpers/requirement/selection.ts'
import { didYouMean } from '../../helpers/settings/did-you-mean.ts'
import type { RequiredNow } from '../../reports/model/baseline.ts'
import { command } from '../../reports/text/curl.ts'
import { counted } from '../../schemas/counted.ts'
import { present } from '../../schemas/present.ts'
import { packageRoot } from './package.ts'
import { Refused } from './refused.ts'

let collected: Header[] | undefined

/** Where the build leaves the headers of all requirements. */
export const headersFile = join(packageRoot, 'dist/headers.json')

/** The headers of all requirements, in the order of the contract, as the build found them. */
export async function collectHeaders(): Promise<Header[]> {
  collected ??= JSON.parse(await readFile(headersFile, 'utf8').catch(notBuilt)) as Header[]
  return collected
}

function notBuilt({ code }: NodeJS.ErrnoException): never {
  throw new Refused(`${headersFile} cannot be read (${code}): build the suite first, with npm run build.`)
}

/** The present id by every id that a requirement has or had. */
export async function knownIds(): Promise<ReadonlyMap<string, string>> {
  return namesIn(await collectHeaders())
}

/** What the suite requires now, to compare a baseline with. */
export async function requiredNow(): Promise<RequiredNow> {
  const headers = await collectHeaders()
  const musts = new Set(headers.flatMap(({ id, level }) => (level === 'must' ? [id] : [])))
  return { known: namesIn(headers), musts }
}

/** The present id by every id that some headers have or had. */
export function namesIn(headers: readonly Header[]): ReadonlyMap<string, string> {
  const former = headers.flatMap(({ id, formerly = [] }) => formerly.map((old) => [old, id] as const))
  return new Map([...former, ...headers.map(({ id }) => [id, id] as const)])
}

/** Says for each word that names requirements only by former ids what they are called now. */
export function renamed(words: readonly string[], headers: readonly Header[]): string[] {
  return words
    .filter((word) => !headers.some(({ id }) => matchesGlob(id, word)))
    .flatMap((word) => {
      const now = headers.filter((header) => isCalled(header, word)).map(({ id }) => id)
      return now.length > 0 ? [`'${word}' is called ${now.join(', ')} now.`] : []
    })
}

/** Refuses a selection if a part of it names no requirement; returns what the operator should know of the others. */
export async function checkSelection({ only, skip, profiles, shard, transport }: Selection): Promise<string[]> {
  if (only.length + skip.length + profiles.length === 0) return []
  const headers = await collectHeaders()
  const ids = headers.map(({ id }) => id)
  const known = [...new Set(headers.map(({ profile = 'core' }) => profile))]
  const problems = [
    ...[...only, ...skip]
      .filter((glob) => !headers.some((header) => isCalled(header, glob)))
      .map((glob) => missing('requirement', glob, ids)),
    ...profiles
      .filter((name) => !known.some((profile) => profile === name))
      .map((name) => missing('profile', name, known)),
  ]
  if (problems.length > 0) throw new Refused(problems.join('\n'))
  const picked = headers.filter((header) => selected(header, { only, skip, profiles }))
  if (picked.length === 0)
    throw new Refused('No requirement is left to run: --only, --skip and --profile exclude each other.')
  const sent = picked.filter((header) => selected(header, { only, skip, profiles, ...present({ transport }) }))
  if (sent.length === 0)
    throw new Refused(
      `What is asked for is about HTTP itself, such as ${picked[0]!.id}: over gRPC nothing of it is left. Leave out --transport (RMAPI_TRANSPORT).`,
    )
  const isEmpty = shard && !sent.some((header) => selected(header, { only, skip, profiles, shard }))
  return [
    ...renamed([...only, ...skip], headers),
    ...(isEmpty
      ? [
          `Shard ${shard.index}/${shard.of} holds none of the ${counted(sent.length, 'requirement')} asked for: nothing is examined, and report --merge needs its report all the same.`,
        ]
      : []),
  ]
}

function missing(what: string, word: string, known: readonly string[]): string {
  const meant = didYouMean(word, known)
  const hint = meant
    ? `Did you mean '${meant}'?`
    : what === 'profile'
      ? `There are: ${known.join(', ')}.`
      : `To see all: ${command} list`
  return `No ${what} is called '${word}'. ${hint}`
}
