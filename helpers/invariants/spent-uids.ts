import { kinds, madeKinds } from '../api/kinds.ts'
import { isObject } from '../api/received.ts'
import type { Answer } from '../http/call.ts'
import { Tally } from './tally.ts'

/** The plurals of the kinds whose uids count: others may have a key of their own, such as that of their group (R49). */
const pluralOf = new Map<string, string>(madeKinds.map((kind) => [kinds[kind].name, kind]))

/** The uids of groups, identities and role bindings that were deleted over HTTP: no new one should have them (R28). */
export class SpentUids {
  /** The creates, and the uids that something deleted had. */
  readonly reused = new Tally<string>()
  readonly #spent = new Set<string>()

  /** Notes the answer to a successful call. */
  note(answer: Answer): void {
    const { json, over, exchange } = answer
    const [name = '', does] = exchange.operation.replace(/^(grpc|v1)\./, '').split('.')
    if (does === 'delete' && over === undefined) this.#spent.add(`${name} ${uidIn(exchange.request.url, name)}`)
    if (does !== 'create' || !pluralOf.has(name) || !isObject(json)) return
    const uid = String(json.uid ?? json.id)
    this.reused.note(answer, this.#spent.has(`${name} ${uid}`) ? uid : undefined)
  }
}

function uidIn(url: string, name: string): string {
  const [, uid = ''] = new URL(url).pathname.split(`/${pluralOf.get(name)}/`)
  return decodeURIComponent(uid)
}
