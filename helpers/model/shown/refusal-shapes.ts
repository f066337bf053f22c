import { isObject } from '../../api/received.ts'
import { scopeParameters } from '../../api/resource-path.ts'
import { problems } from '../../assertions/schema.ts'
import { codeIn, succeeded } from '../../http/call.ts'
import type { Judging } from '../judging.ts'
import { type Asked, isPrinted, isSoftRefusal, repeatedParameter, unlessOffered } from '../observation.ts'
import type { Thing } from '../state.ts'

/** A call that is refused for a mistake in it gets the error of S7.1, as JSON (R33). */
export function judgeShape(judging: Judging, asked: Asked): void {
  const { seen } = judging
  const places = placesIn(judging, asked)
  const isAbout = isRefusedForContent(judging) && isPlain(judging) && asked.version === 'v2' && asked.does !== 'get'
  if (!isAbout || !places.every((place) => isThere(judging, place))) return
  const [problem] = problems(seen.json, 'error')
  const type = seen.headers?.['content-type'] ?? 'no content type'
  const isJson = /^application\/([\w.-]+\+)?json\b/i.test(type)
  const expected = problem ? `${problem.at || 'a body'}: ${problem.expected}` : 'a JSON content type'
  const got = problem ? `${problem.found} in ${judging.came}` : type
  judging.row('model.refusal.shape', problem === undefined && isJson, expected, got, {
    about: places.flatMap((place) => (place === 'a role' || place === undefined ? [] : [place.uid])),
    // what is new may count as missing, whose error is free (R38, R52)
    unless: [
      ...judging.unlessLate(newestOf(judging, places)),
      ...(isPrinted(asked) ? [] : [unlessOffered(asked, seen)]),
    ],
  })
}

type Place = Thing | 'a role' | undefined

/** What the call names: the error of what is missing is free (R38). */
function placesIn({ state, seen }: Judging, { kind, does, uid }: Asked): Place[] {
  const scopes = scopeParameters.flatMap((name) => seen.query[name] ?? [])
  const body = isObject(seen.body) ? seen.body : {}
  const { identityUid, roleUid } = body
  return [
    ...scopes.map((scope) => state.group(scope)),
    ...(uid === undefined ? [] : [does === 'create' ? state.group(uid) : state.thing(uid, kind)]),
    ...(identityUid ? [state.thing(String(identityUid), 'identities')] : []),
    ...(roleUid ? [state.roles.has(String(roleUid)) ? ('a role' as const) : undefined] : []),
  ]
}

const isThere = ({ seen }: Judging, place: Place) =>
  place === 'a role' || (place !== undefined && place.alive.certain(seen.sent, seen.answered)?.value === true)

const newestOf = ({ seen }: Judging, places: readonly Place[]) =>
  Math.max(0, ...places.map((place) => (typeof place === 'object' ? place.alive.lastBefore(seen.answered) : 0)))

/** True for a refusal of what the run sent with its own token, over HTTP and as JSON. */
function isRefusedForContent({ seen }: Judging): boolean {
  const code = codeIn(seen) ?? 0
  const isMistake = [400, 422].includes(seen.status ?? 0) && !isSoftRefusal(seen) && ![5, 12].includes(code)
  const isOwn = seen.caller.is === 'own' && seen.over === undefined && seen.reads === undefined
  return isOwn && !succeeded(seen) && (isMistake || code === 3)
}

/** True for a call that no proxy refuses by itself, and whose body any decoder reads (R31, R37). */
function isPlain({ seen: { query, body } }: Judging): boolean {
  const parameters = Object.entries(query).flat()
  if (repeatedParameter in query || !parameters.every((text) => /^[\x20-\x7e]*$/.test(text))) return false
  if (parameters.join('').length > mostSent || (JSON.stringify(body) ?? '').length > mostSent) return false
  return !isObject(body) || Object.values(body).every((value) => typeof value === 'string' || isObject(value))
}

/** How long parameters and a body may be without a limit on requests being the reason to refuse them, in characters. */
const mostSent = 1_000
