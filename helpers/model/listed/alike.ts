import { instant } from '../../api/instant.ts'
import { type KindName, kinds } from '../../api/kinds.ts'
import { isObject } from '../../api/received.ts'
import { succeeded } from '../../http/call.ts'
import type { Judging } from '../judging.ts'
import { type Asked, isMissing, type Observation, unlessOffered } from '../observation.ts'
import { itemsOf } from './page-seen.ts'

type Shown = Record<string, unknown>

const row = 'model.foreign.same'

/** The most answers of a kind that wait. */
const mostWaiting = 500

/** A whole list that did not change from one time to another (R24). */
export interface Unchanged {
  shown: readonly Shown[]
  from: number
  to: number
}

/** A List or a Get, and the things in it as the whole list has them. */
interface Settled {
  seen: Observation
  asked: Asked
  known: ReadonlyMap<unknown, Shown>
}

/**
 * What Lists and Gets show of things that the run did not make, until a whole list shows that these did not change
 * meanwhile (R24).
 */
export class Alike {
  readonly #waiting = new Map<string, { seen: Observation; asked: Asked }[]>()

  take(seen: Observation, asked: Asked): void {
    const key = keyOf(asked.kind, seen)
    const waiting = this.#waiting.get(key) ?? []
    this.#waiting.set(key, [...waiting, { seen, asked }].slice(-mostWaiting))
  }

  /** What can be judged now: an answer that lags shows for some time what is no longer so, and so does the list (R52). */
  settled(kind: KindName, last: Observation, { shown, from, to }: Unchanged, patience: number): Settled[] {
    const key = keyOf(kind, last)
    const known = new Map(shown.map((item) => [item.uid, item]))
    const isDue = ({ seen, asked }: { seen: Observation; asked: Asked }) =>
      seen.sent >= from + patience &&
      seen.answered + patience <= to &&
      uidsIn(seen, asked).every((uid) => known.has(uid))
    const waiting = this.#waiting.get(key) ?? []
    this.#waiting.set(
      key,
      waiting.filter((each) => !isDue(each)),
    )
    return waiting.filter(isDue).map((each) => ({ ...each, known }))
  }
}

const keyOf = (kind: KindName, { over }: Observation) => `${kind} ${over}`

/** The things that a List shows, or that a Get asks for. */
const uidsIn = (seen: Observation, { kind, does, uid }: Asked): unknown[] =>
  does === 'get' ? [uid] : (itemsOf(seen.json, kind) ?? []).map((item) => item.uid)

/** Each thing is the same in every List and Get (R55). */
export function judgeAlike(judging: Judging, asked: Asked, known: Settled['known']) {
  const { seen } = judging
  if (asked.does === 'get') return judgeGot(judging, asked, known.get(asked.uid)!)
  for (const item of itemsOf(seen.json, asked.kind) ?? []) judgeSame(judging, asked, item, known.get(item.uid)!)
}

function judgeGot(judging: Judging, asked: Asked, listed: Shown): void {
  const { seen } = judging
  const about = [String(listed.uid)]
  // a Get has no parameters, and another spelling of its path may be refused (R48)
  const isPlain = Object.keys(seen.query).length === 0 && !seen.path.includes('%2f')
  if (!succeeded(seen)) {
    if (isPlain && isMissing(seen))
      judging.row(row, false, 'a status of 2xx', judging.came, { about, unless: [unlessOffered(asked, seen)] })
    return
  }
  const shown = isObject(seen.json) ? seen.json : {}
  judging.row(row, shown.uid === listed.uid, `the uid ${listed.uid}`, shown.uid, { about })
  if (shown.uid === listed.uid) judgeSame(judging, asked, shown, listed)
}

function judgeSame(judging: Judging, { kind, does }: Asked, shown: Shown, listed: Shown): void {
  const { named, described } = kinds[kind]
  const texts = [...(named ? ['name'] : []), ...(described ? ['description'] : [])]
  for (const member of [...texts, 'createTime', 'updateTime']) {
    const [got, wanted] = [shown[member] ?? '', listed[member] ?? '']
    // a Get and a List need not show the same members of what the contract does not show (R49)
    if (wanted === '' || (got === '' && does === 'get')) continue
    const isSame = got === wanted || (member.endsWith('Time') && instant(got) === instant(wanted))
    judging.row(row, isSame, () => `${member} ${JSON.stringify(wanted)}, as listed before and after`, got, {
      about: [String(listed.uid)],
    })
  }
}
