import { isObject } from '../../api/received.ts'
import { scopeParameters } from '../../api/resource-path.ts'
import type { Judging } from '../judging.ts'
import { isLabel, isOrdinaryName } from '../names.ts'
import { type Asked, repeatedParameter } from '../observation.ts'
import type { Thing } from '../state.ts'

/** Why a call is refused, in words that every such call has, and the uids it names. */
export interface Cause {
  text: string
  about: readonly string[]
}

/** One thing that a call brings, and whether it is a reason to refuse the call. */
interface Part {
  text: string
  bad: boolean
}

/** The cause of a refusal where there is one alone; undefined where it is open, or several are. */
export function causeOf(judging: Judging, { kind, does, uid }: Asked, code: number): Cause | undefined {
  const { seen } = judging
  const what = `${does} of ${kind}`
  const about = uid === undefined ? [] : [uid]
  const { caller } = seen
  if (caller.is === 'bearer' || caller.is === 'open' || seen.reads !== undefined) return undefined
  const parts = does === 'list' ? listed(judging) : [placeOf(judging, uid!, does === 'create' ? 'groups' : kind, code)]
  if (does === 'create' || does === 'update') parts.push(...sent(judging, kind, does))
  if (does === 'delete') parts.push(holding(judging, judging.state.thing(uid!, kind)))
  if (caller.is === 'bad') parts.push({ text: `with ${caller.how}`, bad: true })
  const known = parts.filter((part) => part !== undefined)
  const isOne = known.length === parts.length && known.filter(({ bad }) => bad).length === 1
  return isOne ? { text: [what, ...known.map(({ text }) => text)].join(', '), about } : undefined
}

/** What a uid in a path names; undefined where that is open. */
function placeOf(judging: Judging, uid: string, kind: Thing['kind'], code: number): Part | undefined {
  const { state, seen } = judging
  const aliveNow = ({ alive }: Thing) => alive.certain(seen.sent, seen.answered)?.value
  const thing = state.thing(uid, kind)
  if (thing) {
    const isThere = aliveNow(thing)
    const isYoung = judging.isYoung(thing.alive.lastBefore(seen.answered))
    // a lagging target does not know it yet, or still knows it (R52)
    if (thing.alien || isThere === undefined || (isYoung && (!isThere || code === 5))) return undefined
    return { text: isThere ? 'there' : 'deleted', bad: !isThere }
  }
  const [other] = state.under(uid)
  if (other) return aliveNow(other) ? { text: `the uid of ${other.kind}`, bad: true } : undefined
  const [above] = state.under(uid.slice(0, Math.max(0, uid.lastIndexOf('/'))))
  if (!above || above.alien || !aliveNow(above)) return undefined
  return { text: `unknown below ${above.kind}, ${shapeOf(uid.slice(uid.lastIndexOf('/') + 1))}`, bad: true }
}

/** A uid as a parser sees it. */
const shapeOf = (text: string) => `${/^[0-9a-f]+$/.test(text) ? 'hexadecimal' : 'text'} of ${text.length}`

/** A text without the words in it. */
const formOf = (text: string) => {
  const form = text.replace(/[a-z0-9]+/g, 'a').replace(/[A-Z]+/g, 'A')
  return JSON.stringify(text.length > 30 ? `${form.slice(0, 30)} of ${text.length}` : form)
}

/** The parameters of a list; a page token may have any cause. */
function listed(judging: Judging): (Part | undefined)[] {
  const inOrder = Object.entries(judging.seen.query).sort(([one], [other]) => (one < other ? -1 : 1))
  return inOrder.map(([name, value]) => {
    if (scopeParameters.some((scope) => scope === name)) {
      const place = placeOf(judging, value, 'groups', 0)
      return place && { text: `${name} ${place.text}`, bad: place.bad }
    }
    if (name === 'name') return { text: `name ${formOf(value)}`, bad: !isOrdinaryName(value) }
    if (name === 'page_token' || name === repeatedParameter) return undefined
    const isPlain = name === 'order_by' ? /^(name|created_at)( desc)?$/.test(value) : /^\d{1,3}$/.test(value)
    return { text: `${name} ${value}`, bad: !isPlain }
  })
}

const needed: Partial<Record<Thing['kind'], readonly string[]>> = {
  groups: ['name'],
  identities: ['name', 'claimMatch'],
  roleBindings: ['identityUid', 'roleUid'],
}

/** The members of a body, and those that are missing. */
function sent(judging: Judging, kind: Thing['kind'], does: 'create' | 'update'): (Part | undefined)[] {
  const { body, query } = judging.seen
  const mask = query.updateMask
  const isClear = mask === undefined || mask === 'name' || mask === 'description'
  const isOther = Object.keys(query).some((name) => name !== 'updateMask')
  if (!isObject(body) || needed[kind] === undefined || !isClear || isOther) return [undefined]
  const missing = does === 'create' ? needed[kind].filter((member) => body[member] === undefined) : []
  return [
    ...missing.map((member) => ({ text: `no ${member}`, bad: true })),
    ...Object.entries(body)
      .sort(([one], [other]) => (one < other ? -1 : 1))
      .map(([member, value]) => memberOf(judging, kind, member, value)),
    ...(mask === undefined ? [] : [{ text: `mask ${mask}`, bad: false }]),
  ]
}

/** One member of a body; gRPC sends no other type, and nothing that is not in its messages. */
function memberOf(judging: Judging, kind: Thing['kind'], member: string, value: unknown): Part | undefined {
  const { state } = judging
  if (member === 'claimMatch' && isObject(value)) {
    const set = ['issuer', 'subject'].filter((claim) => typeof value[claim] === 'string' && value[claim] !== '')
    return { text: `claims: ${set.join(', ')}`, bad: set.length < 2 }
  }
  if (typeof value !== 'string') return undefined
  if (member === 'name') {
    const isGood = kind === 'groups' ? isOrdinaryName(value) : isLabel(value)
    return isGood ? { text: 'a name', bad: false } : { text: `name ${formOf(value)}`, bad: true }
  }
  if (member === 'description')
    return value.length <= 100 ? { text: 'described', bad: false } : { text: `described in ${value.length}`, bad: true }
  if (member === 'identityUid') return placeOf(judging, value, 'identities', 5)
  if (member !== 'roleUid') return undefined
  return state.roles.has(value) ? { text: 'a role', bad: false } : { text: `the role ${shapeOf(value)}`, bad: true }
}

/** What keeps something from being deleted. */
function holding({ seen }: Judging, thing: Thing | undefined): Part {
  const held = [...(thing?.below ?? [])].flatMap(([kind, things]) =>
    things.some(({ alive }) => alive.certain(seen.sent, seen.answered)?.value) ? [kind] : [],
  )
  return { text: `holds ${held.sort().join(', ') || 'nothing'}`, bad: held.length > 0 }
}
