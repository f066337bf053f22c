import type { Api } from '../api/api.ts'
import { isForbidden } from '../api/soft-refusal.ts'
import { bodyFor } from '../arrange/populations.ts'
import type { Scratch } from '../arrange/scratch.ts'
import type { Answer } from '../http/call.ts'
import { Inconclusive } from '../http/case-errors.ts'

/** A good call of each operation that such calls ask for; one that is forbidden ends the case. */
const good: Record<string, (api: Api, scratch: Scratch, name: string) => Promise<unknown>> = {
  'grpc.group.create': (api, { uid }, name) => api.groups.create(uid, { name }),
  'grpc.group.update': async (api, scratch, name) =>
    api.groups.update((await scratch.makeGroup()).uid, { description: name }),
  'grpc.group.get': (api, { uid }) => api.groups.get(uid),
  'grpc.group.delete': async (api, scratch) => api.groups.delete((await scratch.makeGroup()).uid),
  'grpc.identity.create': async (api, scratch, name) =>
    api.identities.create(scratch.uid, { name, claimMatch: await scratch.claimMatchFor(name) }),
  'grpc.identity.update': async (api, scratch, name) =>
    api.identities.update((await scratch.makeIdentity()).uid, { description: name }),
  'grpc.roleBinding.create': async (api, scratch, name) =>
    api.roleBindings.create(scratch.uid, await bodyFor(api, scratch, 'roleBindings', name)),
  'grpc.identity.delete': async (api, scratch) => api.identities.delete((await scratch.makeIdentity()).uid),
  'grpc.roleBinding.delete': async (api, scratch) =>
    api.roleBindings.delete((await scratch.makeBinding(await scratch.makeIdentity())).uid),
  'grpc.identity.get': async (api, scratch) => api.identities.get((await scratch.makeIdentity()).uid),
}

/** Ends the case where a bad call is forbidden over gRPC and a good one as well: then only rights are missing (R56). */
export async function mustHaveRight(answer: Answer, api: Api, scratch: Scratch, name: string): Promise<void> {
  if (!isForbidden(answer)) return
  const { operation } = answer.exchange
  const call = good[operation]
  if (call === undefined) throw new Inconclusive(`${operation} is forbidden: the token may lack the right`)
  await call(api, scratch, name)
}
