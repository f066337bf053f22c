import { type KindName, kinds } from '../../api/kinds.ts'
import { isObject } from '../../api/received.ts'
import { scopeParameters } from '../../api/resource-path.ts'
import { succeeded } from '../../http/call.ts'
import { textsOf } from '../apply.ts'
import type { Judging } from '../judging.ts'
import { type Asked, isSoftRefusal, type Observation } from '../observation.ts'
import type { Thing } from '../state.ts'
import { Alike } from './alike.ts'
import { aspectOf } from './counts.ts'
import { itemsOf } from './page-seen.ts'
import type { Query } from './population.ts'
import { type Closed, Windows } from './windows.ts'

/** The scopes whose whole list showed a thing, by kind and uid. */
type Homes = Map<string, Set<string>>

/**
 * Lists of what the run did not make. Where two answers show a whole scope and agree, nothing changed in between, and
 * everything asked meanwhile is known as well as the run's own (R24).
 */
export class Foreign {
  readonly #windows = new Windows()
  /** What whole lists showed, by query. */
  readonly #ever = new Map<string, Set<string>>()
  /** Kinds that others create while the run reads them, and kinds that they take out of a scope. */
  readonly busy = new Set<KindName>()
  readonly moving = new Set<KindName>()
  /** The scopes whose whole list showed a thing, by kind and uid. */
  readonly #homes: Homes = new Map()
  /** The same for lists of what is right in a group. */
  readonly #direct: Homes = new Map()
  readonly alike = new Alike()

  /**
   * Two scopes share nothing unless one holds the other, and a direct child of a group is neither in another group nor
   * below one of its child groups (R15).
   */
  judgeApart(judging: Judging, { kind, version }: Asked): void {
    const { seen } = judging
    const [below, children] = scopeParameters.map((name) => seen.query[name])
    const scope = below ?? children ?? ''
    // how any other scope is read is open, a slash at its end included (R15)
    if (version === 'v1' || kind === 'roles' || !/^[0-9a-f]+(\/[0-9a-f]+)*$/.test(scope) || !succeeded(seen)) return
    if (below !== undefined && children !== undefined) return
    const homesOf = (homes: Homes, uid: unknown) => [...(homes.get(`${kind} ${uid}`) ?? [])]
    const holds = (group: string, other: string) => `${other}/`.startsWith(`${group}/`)
    const isApart = (home: string) => !holds(scope, home) && !holds(home, scope)
    // a tag may count as in its repo and in the group above
    const isGroup = (home: string) => ![scope, home].some((uid) => this.#homes.has(`repos ${uid}`))
    const isAbove = (home: string) => below === undefined && scope !== home && holds(scope, home) && isGroup(home)
    const isBelow = (home: string) => scope !== home && holds(home, scope) && isGroup(home)
    for (const { uid } of itemsOf(seen.json, kind) ?? []) {
      const strange =
        homesOf(this.#homes, uid).find((home) => isApart(home) || isAbove(home)) ??
        homesOf(this.#direct, uid).find((home) => isApart(home) || isAbove(home) || isBelow(home))
      // others may have moved it meanwhile (R24)
      const among = `the ${below === undefined ? 'children' : 'descendants'} of ${scope}`
      judging.check(kind, 'members', strange === undefined, `nothing that is in ${strange} among ${among}`, uid, {
        unless: [`moving ${kind}`],
      })
    }
  }

  /** True for what a whole list has shown. */
  readonly knows = (kind: KindName, uid: string): boolean =>
    [this.#homes, this.#direct].some((homes) => homes.has(`${kind} ${uid}`))

  /** A list of roles is valid without a scope (S4.4). */
  judgeRoles(judging: Judging): void {
    const { seen } = judging
    if (Object.keys(seen.query).some((name) => name !== 'page_size') || Number(seen.query.page_size ?? 1) > 200) return
    if (isSoftRefusal(seen) || seen.query.page_size === '0') return
    judging.check('roles', 'answer', succeeded(seen), 'a status of 2xx', judging.came)
  }

  /** Takes a list in; where it closes a window, returns what can be judged now: nothing has changed for so long (R52). */
  take({ seen, patience }: Judging, asked: Asked): Closed | undefined {
    const key = keyOf(seen, asked)
    // a page token may not be refused (S8.3)
    if (key !== undefined && !succeeded(seen) && seen.query.page_token !== undefined) this.#windows.hold(key, seen)
    if (key === undefined || !succeeded(seen)) return undefined
    const closed = this.#windows.take(key, seen, asked.kind)
    if (closed === undefined) return undefined
    const { shown, changed } = closed
    const ever = this.#ever.get(key)
    if (ever && shown.some(({ uid }) => !ever.has(String(uid)))) this.busy.add(asked.kind)
    if (ever && new Set(shown.map(({ uid }) => uid)).size < ever.size) this.moving.add(asked.kind)
    this.#ever.set(key, new Set([...(ever ?? []), ...shown.map(({ uid }) => String(uid))]))
    for (const [parameter, homesOf] of [
      ['uidp.descendants_of', this.#homes],
      ['uidp.children_of', this.#direct],
    ] as const) {
      const home = seen.query[parameter]
      for (const { uid } of home === undefined ? [] : shown) {
        const homes = homesOf.get(`${asked.kind} ${uid}`) ?? new Set<string>()
        homesOf.set(`${asked.kind} ${uid}`, homes.size < 8 ? homes.add(home!) : homes)
      }
    }
    return { ...closed, ready: closed.ready.filter(({ sent }) => sent - changed >= patience) }
  }
}

/** The scope of a list whose population can be known; roles have none (R21). */
function keyOf({ query, over }: Observation, { kind, version }: Asked): string | undefined {
  const asked = scopeParameters.filter((name) => query[name] !== undefined)
  if (version === 'v1' || !kinds[kind].foreign || asked.length !== (kind === 'roles' ? 0 : 1)) return undefined
  // a message has members that JSON omits
  return JSON.stringify([kind, over, asked, ...asked.map((name) => query[name])])
}

/** The thing behind an item; what nobody made is the target's own (R50), unless a refused call sent its text (R29). */
export function shownThing(judging: Judging, query: Query, item: Record<string, unknown>): Thing | undefined {
  const { state, seen } = judging
  const { kind, scope, deep } = query
  const uid = String(item.uid)
  if (kind === 'groups' && uid === scope.uid) return undefined
  const thing = state.thing(uid, kind)
  if (thing) return thing
  if (state.closed) {
    // what is in no whole list of a scope is outside it, whatever its name (S4.8); roles have no scope
    const aspect = kind === 'roles' ? aspectOf(query) : 'members'
    return void judging.check(kind, aspect, false, 'nothing that the whole list does not show', item, { breaks: 'R55' })
  }
  const bound = isObject(item.identity) && isObject(item.role)
  const uids = bound ? { identityUid: uidOf(item.identity), roleUid: uidOf(item.role) } : {}
  const texts = textsOf({ ...item, ...uids }, kind).filter((text) => typeof text === 'string' && text !== '')
  const refused = texts.map((text) => state.refusedTexts.get(text as string)).find((each) => each !== undefined)
  // what a target adds itself has a name (S2.6)
  if (kind === 'groups' && (item.name === '' || item.name === undefined))
    judging.check(kind, 'effect', false, 'no group without a name: a create without one is refused', item, {
      about: [scope.uid, uid],
      breaks: 'R29',
    })
  else if (refused && (kind !== 'identities' || texts.length > 0)) {
    judging.check(kind, 'effect', false, `nothing that ${refused.why} sent`, item, {
      about: [scope.uid, uid],
      beside: [refused.n],
      unless: [`own ${kind}`],
      breaks: 'R29',
    })
  } else state.own.note(kind, texts)
  const home = uid.slice(0, uid.lastIndexOf('/'))
  const outside = kind === 'groups' && (deep ? !uid.startsWith(`${scope.uid}/`) : home !== scope.uid)
  if (outside)
    judging.check(kind, 'members', false, `only what is below ${scope.uid}`, uid, {
      about: [scope.uid],
      breaks: deep ? 'S4.8' : 'S4.9',
    })
  const parent = kind === 'groups' ? home : deep ? '' : scope.uid
  state.flags.add('alien')
  state.flags.add(`alien ${kind}`)
  return state.add(kind, uid, parent, seen, item, true)
}

const uidOf = (part: unknown) => (isObject(part) ? part.uid : undefined)
