import type { Api } from '../api/api.ts'
import { kinds } from '../api/kinds.ts'
import { isReceived } from '../api/received.ts'
import { firstChange } from '../arrange/confirmed-by-rereading.ts'
import { listedItems } from '../arrange/listings.ts'
import type { Run } from '../arrange/run.ts'
import { childrenOf } from '../arrange/scratch.ts'
import { same } from '../assertions/equal.ts'
import { violated } from '../assertions/violation.ts'
import { type Call, succeeded } from '../http/call.ts'
import { distinctiveLength } from './disclosure.ts'
import type { OperationCalls, Snapshot } from './operation-calls.ts'

/** What shows whether calls had an effect: the list, or for an Update, Get. */
export async function takeSnapshot(
  api: Api,
  { kind, home, thing }: OperationCalls,
  calls: readonly Call[],
): Promise<Snapshot> {
  // others may change what is only read (R24)
  if (kinds[kind].foreign) return {}
  const { list, get } = api.attempt[kind]
  const methods = calls.map(({ method }) => method)
  const [listed, got] = await Promise.all([
    methods.some((method) => method === 'POST' || method === 'DELETE')
      ? list({ ...childrenOf(home.uid), page_size: 200 })
      : undefined,
    methods.includes('PATCH') ? get(thing.uid) : undefined,
  ])
  return {
    ...(listed && succeeded(listed) && { items: listedItems(kind, listed) }),
    ...(got && succeeded(got) && isReceived(got.json) && { thing: got.json }),
  }
}

/**
 * Fails where a refused call had an effect: something is gone or changed, or what was to be made exists. What else
 * appears there is the target's business (R50). Returns what exists.
 */
export async function unharmed(
  { run, api, operationCalls }: { run: Run; api: Api; operationCalls: OperationCalls },
  before: Snapshot,
  sent: readonly Call[],
): Promise<Snapshot> {
  const { thing, wouldBe, calls } = operationCalls
  const look = () => takeSnapshot(api, operationCalls, sent)
  const isIn = ({ items }: Snapshot) => items?.some(({ uid }) => uid === thing.uid)
  let after = await look()
  // a list may lose for a moment what no call removed (R52)
  if (isIn(before) && isIn(after) === false)
    after = (await firstChange(after, look, (seen) => String(isIn(seen)), run.patience.readings)) ?? after
  const [body] = [calls.create ?? []].flat().map((call) => call.body as Record<string, unknown>)
  const traces = [wouldBe, body?.identityUid].filter(
    (trace) => typeof trace === 'string' && trace.length >= distinctiveLength,
  )
  const others = after.items?.filter(({ uid }) => !run.journal.made(uid)) ?? []
  const made = [...others, after.thing].find((item) =>
    traces.some((trace) => JSON.stringify(item ?? '').includes(String(trace))),
  )
  if (made) astray(`nothing of what was sent (${traces.join(', ')})`, JSON.stringify(made))
  if (isIn(before) && isIn(after) === false) astray(`${thing.uid} in the list`, 'it is gone')
  if (before.thing && after.thing) same(after.thing, before.thing, 'updateTime')
  return after
}

function astray(expected: string, got: string): never {
  violated({ message: 'a call with a bad credential had an effect', expected, got })
}
