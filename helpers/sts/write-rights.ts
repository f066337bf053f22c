import type { Api } from '../api/api.ts'
import { roleNamed } from '../api/roles.ts'
import type { Scratch } from '../arrange/scratch.ts'
import { exchangedToken, succeeded } from '../http/call.ts'
import { untilSuccess } from './token-exchange.ts'

/** Roles that commonly let their holder write. */
const writers = ['owner', 'admin', 'editor']

/** Binds an identity in a group to the roles that commonly let it write; false where none could be bound (R56). */
export async function bindWriter(attempt: Api['attempt'], group: string, identityUid: string): Promise<boolean> {
  const bindTo = async (name: string) => {
    const role = await roleNamed(attempt, name)
    return role && attempt.roleBindings.create(group, { identityUid, roleUid: role.uid })
  }
  const answers = await Promise.all(writers.map(bindTo))
  return answers.some((answer) => answer && succeeded(answer))
}

/**
 * Lets an identity write in the scratch group if its token may only read there: a write that is refused for want of
 * rights shows nothing about the token (R39, R40). `patience`: how long rights may take to spread, in milliseconds.
 */
export async function letWrite(
  { attempt }: Api,
  scratch: Scratch,
  { uid, token }: { uid: string; token: string },
  patience: number,
): Promise<void> {
  const credential = exchangedToken(token)
  const write = () => attempt.groups.update(scratch.uid, { description: 'its identity may write' }, { credential })
  if (succeeded(await write())) return
  if (await bindWriter(attempt, scratch.uid, uid)) await untilSuccess(write, patience)
}
