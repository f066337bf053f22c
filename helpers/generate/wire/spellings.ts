import type { Attempt } from '../../api/api.ts'
import { type KindName, kinds } from '../../api/kinds.ts'
import { isObject, type Received } from '../../api/received.ts'
import { childrenOf, descendantsOf } from '../../arrange/scratch.ts'
import { addedByProxy } from '../../auth/proxy-headers.ts'
import type { Answer, Call } from '../../http/call.ts'
import type { Query } from '../../http/url.ts'
import { covering } from '../covering.ts'
import type { Driver } from '../driver.ts'
import { inParallel } from '../in-parallel.ts'

type Body = Record<string, unknown>

/** Writes the strings of a JSON text in another way. */
const strings = (text: string, write: (value: string) => string) =>
  text.replace(/"(?:[^"\\]|\\.)*"/g, (token) => `"${write(JSON.parse(token))}"`)

/** Escapes some UTF-16 units: what lies beyond the first plane becomes a pair. */
const escaped = (units: RegExp, hex: (digits: string) => string) => (value: string) =>
  value.replace(units, (unit) => `\\u${hex(unit.charCodeAt(0).toString(16).padStart(4, '0'))}`)

const turned = (value: unknown): unknown =>
  isObject(value)
    ? Object.fromEntries(
        Object.entries(value)
          .reverse()
          .map(([name, inner]) => [name, turned(inner)]),
      )
    : value

/** Spellings of one JSON text (R51): white space, order of members, and the escapes of common serializers. */
const spellings: readonly ((body: Body) => string)[] = [
  (body) => JSON.stringify(body),
  // as Python writes it
  (body) =>
    strings(
      JSON.stringify(body),
      escaped(/[^\x20-\x7e]|["\\]/g, (hex) => hex),
    ),
  // names of members as well
  (body) =>
    strings(
      JSON.stringify(body),
      escaped(/[\s\S]/g, (hex) => hex.toUpperCase()),
    ),
  // as PHP writes it
  (body) => strings(JSON.stringify(body), (value) => JSON.stringify(value).slice(1, -1).replaceAll('/', '\\/')),
  (body) => `\r\n\t ${JSON.stringify(body, null, '\t').replaceAll('\n', '\r\n')} \n`,
  (body) => JSON.stringify(turned(body), null, 1),
]

/** How a body is labelled and framed; a charset or chunks may be refused, but if accepted they count in full (R51). */
const types: readonly Attempt[] = [
  {},
  { contentType: 'application/json; charset=utf-8' },
  { contentType: 'application/json;charset="UTF-8"', headers: { 'transfer-encoding': 'chunked' } },
  { headers: { 'transfer-encoding': 'identity' } },
]

/** Headers of common clients and proxies, which do not change what a call does. */
const companionsOf = ({ run }: Driver): readonly Record<string, string>[] => [
  {},
  { 'accept-language': 'de-DE,de;q=0.9', 'accept-encoding': 'gzip' },
  { accept: '*/*', 'accept-language': 'ja', 'accept-encoding': 'br' },
  { accept: 'application/json, text/plain, */*', 'accept-language': 'fr;q=0.8, ar', 'accept-encoding': 'deflate' },
  { ...addedByProxy(run.config.target.baseUrl), 'accept-encoding': 'gzip, deflate, br' },
  { 'x-remote-user': 'somebody', 'x-forwarded-user': 'somebody' },
]

/** Headers without a language: a binding may describe its role in the caller's own (R9). */
function withoutLanguage(headers: Record<string, string> = {}): Record<string, string> {
  return Object.fromEntries(Object.entries(headers).filter(([name]) => name !== 'accept-language'))
}

/** What the calls act on. */
interface Ground {
  driver: Driver
  /** Holds all the others. */
  home: Received
  group: Received
  masked: Received
  inV1: Received
  identity: Received
}

/** A body in one spelling, with its headers. */
interface Written {
  write: (body: Body) => { raw: string }
  attempt: Attempt
  text: string
}

type Sending = (ground: Ground, written: Written) => Promise<Answer>

const badName: Sending = ({ driver: { api }, home }, { write, attempt, text }) =>
  api.groups.create(home.uid, write({ name: `Bad@${text.slice(0, 4)}`, description: text }), attempt)

const remove: Sending = ({ driver: { api }, home }, { attempt: { headers = {} } }) =>
  api.groups.delete(home.uid, { headers })

const changeGroup: Sending = ({ driver: { api }, group }, { write, attempt, text }) =>
  api.groups.update(group.uid, write({ description: text }), attempt)

const changeMasked: Sending = ({ driver: { api }, masked }, { write, attempt, text }) => {
  const query = { updateMask: 'description' }
  return api.groups.update(masked.uid, write({ name: 'left out', description: text }), { ...attempt, query })
}

const changeIdentity: Sending = ({ driver, identity }, { write, attempt, text }) =>
  driver.api.identities.update(identity.uid, write({ name: driver.name(), description: text }), attempt)

/** v1 may read bodies in its own way. */
const changeByV1: Sending = ({ driver, inV1 }, { write, attempt, text }) =>
  driver.v1.replace(inV1.uid, write({ name: driver.name(), description: `${text} in /v1` }), attempt)

/** The kind that each sending changes, where later ones overwrite it. */
const changing = new Map<Sending, KindName>([
  [changeGroup, 'groups'],
  [changeMasked, 'groups'],
  [changeIdentity, 'identities'],
])

/** The calls that are sent in every spelling. */
const sendings: readonly Sending[] = [
  ({ driver, home }, { write, attempt, text }) =>
    driver.api.groups.create(home.uid, write({ name: driver.name(), description: text }), attempt),
  changeGroup,
  changeMasked,
  changeByV1,
  ({ driver, home }, { write, attempt, text }) => {
    const name = driver.name()
    const claimMatch = { issuer: `https://issuer.example/${name}`, subject: `repo:a/b:${name}` }
    return driver.api.identities.create(home.uid, write({ name, description: text, claimMatch }), attempt)
  },
  changeIdentity,
  async ({ driver, home }, { write, attempt }) => {
    const [roleUid, identityUid] = [(await driver.roles())[0]?.uid, (await driver.identity(home.uid))?.uid]
    const headers = withoutLanguage(attempt.headers)
    return driver.api.roleBindings.create(home.uid, write({ identityUid, roleUid }), { ...attempt, headers })
  },
  badName,
  remove,
]

/**
 * Sends calls in many spellings that HTTP and JSON treat alike: each does what the plain call does (R51); returns how
 * many.
 */
export async function askSpellings(driver: Driver, crowd: Query): Promise<number> {
  const home = await driver.group(driver.scope)
  if (home === undefined) return 0
  const [group, masked, inV1, identity] = await Promise.all([
    driver.group(home.uid),
    driver.group(home.uid),
    driver.group(home.uid),
    driver.identity(home.uid),
  ])
  if (!group || !masked || !inV1 || !identity) return 0
  const ground = { driver, home, group, masked, inV1, identity }
  const companions = companionsOf(driver)
  await driver.frame(undefined, home.uid)
  const all = { sending: sendings, spelling: spellings, type: types, companion: companions, long: [true, false] }
  // a charset may be the reason for any refusal, so refusals are tried without one
  const rows = covering(all, 2, driver.draw, ({ sending, type, spelling }) =>
    sending === remove ? type === types[0] && spelling === spellings[0] : sending !== badName || type === types[0],
  )
  // one after the other on each thing, so that every answer is exact
  await inParallel(sendings, sendings.length, async (sending) => {
    for (const row of rows.filter((each) => each.sending === sending)) {
      const [type, companion, spelling] = [row.type as Attempt, row.companion as Record<string, string>, row.spelling]
      const headers = { ...type.headers, ...companion }
      const written: Written = {
        write: (body) => ({ raw: (spelling as (typeof spellings)[number])(body) }),
        attempt: { ...type, headers },
        text: `${driver.name()}${row.long ? ': a/b & "c" <d> ünï 日本 🙂.' : ''}`,
      }
      const changed = await driver.made(() => sending(ground, written))
      // what was made is still there at the end
      const kind = changed && changing.get(sending)
      if (kind) await driver.send(() => driver.api[kind].get(changed.uid, { headers: companion }))
    }
  })
  await askEscapedPaths(ground)
  await Promise.all(companions.slice(1).map((companion, index) => look(ground, crowd, companion, index)))
  await driver.frame(undefined, home.uid)
  return rows.length
}

/** Gets what is deeper by a path whose slashes are escaped in small letters: refused, or the same resource (R48). */
async function askEscapedPaths({ driver, group, identity }: Ground): Promise<void> {
  const get = (kind: KindName, { uid }: Received) => {
    const [before, after] = driver.path(kind, uid).split(`/${kind}/`)
    const path = `${before}/${kind}/${after?.replace(/\/|%2F/g, '%2f')}`
    return driver.call({ operation: `${kinds[kind].name}.get`, method: 'GET', path })
  }
  await get('groups', group)
  await get('identities', identity)
}

/** Reads two lists, a long one first, and one group, as if a proxy had rewritten the call. */
async function look({ driver, home, group }: Ground, crowd: Query, given: Record<string, string>, index: number) {
  const list = (kind: KindName, query: Query, version?: string) => {
    const headers = kind === 'roleBindings' ? withoutLanguage(given) : given
    const operation = `${version === undefined ? '' : 'v1.'}${kinds[kind].name}.list`
    const call: Call = { operation, method: 'GET', path: driver.path(kind, undefined, version), query, headers }
    return driver.call(index % 2 === 0 ? call : { ...call, plainSlashes: true })
  }
  await list('groups', { ...crowd, page_size: 200 })
  if (index % 2 === 0) await list('groups', childrenOf(home.uid), 'v1')
  else await list(index > 2 ? 'identities' : 'roleBindings', descendantsOf(home.uid))
  const rewritten = { 'x-http-method-override': 'DELETE', 'x-original-url': driver.path('groups', home.uid) }
  await driver.send(() => driver.api.groups.get(group.uid, { headers: { ...given, ...rewritten } }))
}
