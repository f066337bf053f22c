import type { Api } from '../api/api.ts'
import type { Received } from '../api/received.ts'
import type { Scratch } from '../arrange/scratch.ts'
import { exchangedToken, succeeded } from '../http/call.ts'
import { untilSuccess } from './token-exchange.ts'

/** Roles that commonly let their holder write. */
const writers = ['owner', 'admin', 'editor']

async function writingRoles(api: Api): Promise<Received[]> {
  const lists = await Promise.allSettled(writers.map((name) => api.roles.list({ name })))
  const named = lists.flatMap((list) => (list.status === 'fulfilled' ? list.value.items : []))
  return writers.flatMap((name) => named.find((role) => role.name === name) ?? [])
}

/**
 * Binds an identity to roles that let it write in the scratch group, where its token may only read: a write that is
 * refused for want of rights shows nothing of the token's age (R40). `patience`: how long rights may take to spread.
 */
export async function letWrite(
  api: Api,
  scratch: Scratch,
  { uid, token }: { uid: string; token: string },
  patience: number,
): Promise<void> {
  const write = () =>
    api.attempt.groups.update(
      scratch.uid,
      { description: 'its identity may write' },
      { credential: exchangedToken(token) },
    )
  if (succeeded(await write())) return
  const bind = ({ uid: roleUid }: Received) =>
    api.attempt.roleBindings.create(scratch.uid, { identityUid: uid, roleUid })
  const bound = await Promise.all((await writingRoles(api)).map(bind))
  if (bound.some(succeeded)) await untilSuccess(write, patience)
}
