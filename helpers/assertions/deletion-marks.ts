import { isObject } from '../api/received.ts'

/** Words for a deletion that is done or under way: a member named so is a mark, unless another word says otherwise. */
const done = /^(delet|remov|purg|trash|destroy|terminat)(ed|ing)$|^tombstoned$/
/** Words for a deletion as such: a member named so is a mark where its other words only say when, how or that. */
const asSuch = /^(delet(e|ion)|remov(e|al)|purge|trash|tombstone|destroy|termination)$/
const besides =
  /^(is|was|has|been|time|timestamp|at|date|when|since|softly|soft|hard|logical|marked|mark|marker|flagged|flag|for|pending|scheduled|requested|by|info|record|of|self)$/
/** Words beside which nothing says that the resource itself is deleted: what can be done, or what else was. */
const otherwise =
  /^(un|not|never|no|non|can|could|may|able|allow(ed|s)?|actions?|operations?|permissions?|rights|capabilit(y|ies)|links?|url|uri|href|protect(ed|ion|s)?|prevent(ed|ion|s)?|lock(ed)?|polic(y|ies)|retention|fail(ed|ure)?|restored|auto|after|days|counts?|total|items|children|members)$/
/** The words that name a state, where they are the last of a name. */
const states = /^(state|status|phase|lifecycle|stage)$/

/** Names of one word that are several: `isdeleted`, `deletetime`, `lifecyclestate`. */
const runTogether =
  /^(is|was|soft|hard|lifecycle|resource)?(delet(?:ed?|ion)|remov(?:ed|al)|purged?|trashed|tombstoned?|destroyed|terminat(?:ed|ion)|state|status|phase)(time|timestamp|at|on|date)?$/

/** The words of a name or of a state, in lower case. */
function wordsOf(text: string): string[] {
  const words = text
    .replace(/([a-z0-9])([A-Z])/g, '$1 $2')
    .replace(/([A-Z])([A-Z][a-z])/g, '$1 $2')
    .toLowerCase()
    .split(/[^a-z]+/)
  return words.flatMap((word) => (runTogether.exec(word)?.slice(1) ?? [word]).filter(Boolean))
}

/** Members that the contract names: they say nothing about the deletion of the resource itself. */
const named: ReadonlySet<string> = new Set([
  ...['uid', 'id', 'name', 'description', 'verified', 'resourceLimits', 'subject', 'issuer'],
  ...['createTime', 'updateTime', 'lastSeenTime', 'createdAt', 'updatedAt'],
  ...['identity', 'group', 'role', 'claimMatch', 'identityUid', 'roleUid'],
])

/** True where a member that the contract does not name, at any depth, marks the resource as deleted (R28). */
export function isMarkedDeleted({ json }: { json?: unknown }): boolean {
  return isObject(json) && holdsMark(json, false)
}

function holdsMark(shown: object, isState: boolean): boolean {
  return Object.entries(shown).some(([member, value]) => {
    const words = wordsOf(member)
    if (named.has(member) || words.some((word) => otherwise.test(word))) return false
    if (isMark(words) && isSet(value)) return true
    const isNext = isState || states.test(words.at(-1) ?? '')
    if (typeof value === 'object' && value !== null) return holdsMark(value, isNext)
    return isNext && typeof value === 'string' && isEnd(wordsOf(value))
  })
}

const isMark = (words: readonly string[]) =>
  words.some((word) => done.test(word)) ||
  (words.some((word) => asSuch.test(word)) &&
    words.every((word) => word === '' || asSuch.test(word) || besides.test(word)))

const isEnd = (words: readonly string[]) =>
  words.some((word) => done.test(word) || asSuch.test(word)) && !words.some((word) => otherwise.test(word))

/** True for a value that says yes, or when, or by whom: not for an empty one, nor for the first moment of a calendar. */
function isSet(value: unknown): boolean {
  if (typeof value === 'object' && value !== null) return Object.values(value).some(isSet)
  if (typeof value !== 'string') return Boolean(value)
  return value !== '' && !/^(false|f|no|n|0|none|null|never|(0001|1970)-01-01T00:00:00.*)$/i.test(value)
}
