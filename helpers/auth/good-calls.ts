import type { Api } from '../api/api.ts'
import { isForbidden, isUnimplemented } from '../api/soft-refusal.ts'
import { bodyFor } from '../arrange/populations.ts'
import type { Scratch } from '../arrange/scratch.ts'
import type { Answer } from '../http/call.ts'
import { Inconclusive } from '../http/case-errors.ts'

/** A good call of each operation that bad calls ask for; where it is refused, it ends the case. */
const good: Record<string, (api: Api, scratch: Scratch, name: string) => Promise<unknown>> = {
  'group.create': (api, { uid }, name) => api.groups.create(uid, { name }),
  'group.update': async (api, scratch, name) =>
    api.groups.update((await scratch.makeGroup()).uid, { description: name }),
  'group.get': (api, { uid }) => api.groups.get(uid),
  'group.delete': async (api, scratch) => api.groups.delete((await scratch.makeGroup()).uid),
  'identity.create': async (api, scratch, name) =>
    api.identities.create(scratch.uid, { name, claimMatch: await scratch.claimMatchFor(name) }),
  'identity.update': async (api, scratch, name) =>
    api.identities.update((await scratch.makeIdentity()).uid, { description: name }),
  'roleBinding.create': async (api, scratch, name) =>
    api.roleBindings.create(scratch.uid, await bodyFor(api, scratch, 'roleBindings', name)),
  'identity.delete': async (api, scratch) => api.identities.delete((await scratch.makeIdentity()).uid),
  'roleBinding.delete': async (api, scratch) =>
    api.roleBindings.delete((await scratch.makeBinding(await scratch.makeIdentity())).uid),
  'identity.get': async (api, scratch) => api.identities.get((await scratch.makeIdentity()).uid),
}

/**
 * Sends a good call where a bad one was forbidden or unknown: where the good one is so as well, only rights or the
 * operation are missing, and it ends the case (R49, R56).
 */
export async function mustAnswerGoodCall(answer: Answer, api: Api, scratch: Scratch, name: string): Promise<void> {
  if (!isForbidden(answer) && !isUnimplemented(answer)) return
  const operation = answer.exchange.operation.replace(/^grpc\./, '')
  const call = good[operation]
  if (call === undefined) throw new Inconclusive(`${operation} is refused: the token may lack the right`)
  await call(api, scratch, name)
}
