import { counted } from '../../../schemas/counted.ts'
import { kinds } from '../../api/kinds.ts'
import type { Judging } from '../judging.ts'
import type { Thing } from '../state.ts'
import { aspectOf } from './counts.ts'
import { type Members, newest, type Population, type Query, viewOf } from './population.ts'

/** When each list first showed something new, by its query. */
const firstShown = new WeakMap<Thing, Map<string, number>>()

/** A list with other parameters may be another copy, which lags on its own (R52). */
const listKey = ({ seen }: Judging, { key }: Query) => `${key} ${seen.query.page_size}`

/** Remembers that a list showed something so new that others may not know of it yet. */
export function noteListed(judging: Judging, query: Query, thing: Thing): void {
  const { sent, answered, query: asked } = judging.seen
  const isWhole = asked.page_token === undefined && Number(asked.skip ?? 0) === 0
  if (!isWhole || !judging.isYoung(newest(thing, answered))) return
  // it may have been shown under this name as it was before it had another in between
  if (query.name !== undefined && thing.name.mayShowEarlier(query.name, sent)) return
  const lists = firstShown.get(thing) ?? new Map<string, number>()
  firstShown.set(thing, lists)
  const key = listKey(judging, query)
  if ((lists.get(key) ?? 0) <= memberSince(thing, query, answered)) lists.set(key, answered)
}

/** True where the same list has shown it before, and nothing since then made it come or go (R52). */
function wasListed(judging: Judging, query: Query, thing: Thing): boolean {
  const { sent, answered } = judging.seen
  const shown = firstShown.get(thing)?.get(listKey(judging, query)) ?? Number.POSITIVE_INFINITY
  return shown < sent && shown > memberSince(thing, query, answered)
}

/** Since when something has belonged in a list. */
const memberSince = ({ alive, name }: Thing, { name: asked }: Query, to: number) =>
  Math.max(alive.lastBefore(to), asked === undefined ? 0 : name.lastBefore(to))

/** A whole list shows everything that surely matches. */
export function judgeMissing(judging: Judging, { query, offered: { must, may }, items, shown, calm }: Members): void {
  const { seen } = judging
  const { kind, scope, name } = query
  const there = new Set(shown)
  const absent = [...must].filter((thing) => !there.has(thing))
  const lost = absent.find((thing) => wasListed(judging, query, thing))
  const missing = lost ?? absent[0]
  const isNew = missing !== undefined && judging.isYoung(Math.max(calm.since, newest(missing, seen.answered)))
  const expected = missing && `${missing.uid} on the list`
  judging.check(
    kind,
    aspectOf(query),
    !missing,
    expected,
    `the list ends after ${counted(items.length, 'item')}, without it`,
    {
      about: missing ? [scope.uid, missing.uid] : [],
      soft: isNew && lost === undefined,
      unless: judging.unlessCovered(kind),
      breaks: lost ? 'R52' : 'S4.25',
    },
  )
  // an identity may see itself alone
  if (!missing && must.size > 1) judging.covers(kind)
  // a filter may leave out what is there (R21)
  if (name !== undefined) return
  if (missing) judgeLost(judging, missing)
  else if (calm.still) judgeAbsent(judging, may, there, judging.through(viewOf(query)))
}

/** What may have gone with something deleted is gone where a quiet list, once known to show it, leaves it out (R28). */
function judgeAbsent(judging: Judging, may: Population['may'], there: Set<Thing | undefined>, view: string): void {
  const { sent, answered } = judging.seen
  const isKnown = ({ alive }: Thing) => alive.wasShownBefore(sent) || !judging.isYoung(alive.writes[0]!.answered)
  for (const thing of may)
    if (!there.has(thing) && isKnown(thing)) thing.alive.observe(false, sent, answered, view, judging.copy)
}

/** What was shown before a call on its group was refused is still there afterwards, whatever its kind (R29). */
function judgeLost(judging: Judging, lost: Thing): void {
  const { attempted = 0, refused = [], uid = '' } = judging.state.group(lost.parent) ?? {}
  // an invite may expire
  if (kinds[lost.kind].shown || lost.kind === 'groupInvites' || !lost.alive.wasShownBefore(attempted)) return
  judging.check('groups', 'effect', false, `${lost.uid} as before the refused call on ${uid}`, 'it is gone', {
    about: [uid, lost.uid],
    beside: refused.slice(-1),
    soft: judging.isYoung(newest(lost, judging.seen.answered)),
    breaks: 'R29 delete',
  })
}
