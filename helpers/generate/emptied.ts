import type { Api } from '../api/api.ts'
import { ownKinds, publishedKinds } from '../api/kinds.ts'
import type { Received } from '../api/received.ts'
import { isSoftRefusal } from '../api/soft-refusal.ts'
import { deleteGroup, type Scratch } from '../arrange/scratch.ts'
import { outcomeOf } from '../assertions/refused.ts'
import { codeIn, isGivenUp, isNotFound, succeeded } from '../http/call.ts'
import { wasSentAgain } from '../http/waits.ts'
import type { Driver } from './driver.ts'
import { goodBody } from './wire/operations.ts'
import { byNobody, changeAndDelete, update, updateIdentity } from './world.ts'

/** A group that no longer holds anything, and what happened in it, in words. */
interface Emptied {
  uid: string
  what: string
}

type Happening = (to: Driver, home: string) => Promise<unknown>

const remove = (to: Driver, kind: 'groups' | 'identities' | 'roleBindings', one: Received | undefined) =>
  one && to.send(() => to.api[kind].delete(one.uid))

/** What may happen in a group that is empty before and after (R29, R30). */
const happenings: Record<string, Happening> = {
  'a group was made and deleted twice': async (to, home) => {
    const child = await to.group(home)
    for (let times = 0; times < 2; times++) await remove(to, 'groups', child)
  },
  'a group was renamed, described and deleted': async (to, home) => {
    const child = await to.group(home)
    await update(to, child?.uid, { name: to.name() })
    await update(to, child?.uid, { description: to.name() }, 'description')
    await remove(to, 'groups', child)
  },
  'a group was made in v1 and deleted in v2': async (to, home) => remove(to, 'groups', await to.groupByV1(home)),
  'a group was made in v2, replaced in v1 and deleted there': async (to, home) => {
    const child = await to.group(home)
    if (child === undefined) return
    await to.send(() => to.v1.replace(child.uid, { name: to.name() }))
    await to.send(() => to.v1.delete(child.uid))
    await remove(to, 'groups', to.living('groups', home).includes(child.uid) ? child : undefined)
  },
  'groups were made and deleted at once': async (to, home) => {
    const children = await Promise.all([1, 2, 3, 4, 5, 6].map(() => to.group(home)))
    await Promise.all(children.map((child) => remove(to, 'groups', child)))
  },
  'a group was deleted twice at once': async (to, home) => {
    const child = await to.group(home)
    await Promise.all([remove(to, 'groups', child), remove(to, 'groups', child)])
  },
  'a group and what was in it were deleted': async (to, home) => {
    const child = await to.group(home)
    if (child === undefined) return
    await remove(to, 'groups', await to.group(child.uid))
    await remove(to, 'identities', await to.identity(child.uid))
    await remove(to, 'groups', child)
  },
  'its Delete was refused while it held a group': async (to, home) => {
    const child = await to.group(home)
    await to.frame(['groups'], home)
    for (let times = 0; times < 2 && child; times++) await to.send(() => to.api.groups.delete(home))
    await remove(to, 'groups', child)
  },
  'creates were refused': async (to, home) => {
    await to.send(() => to.api.groups.create(home, { name: `Bad@${to.name()}` }))
    await to.send(() => to.api.groups.create(home, {}))
    await to.send(() => to.v1.create(home, { name: `Bad@${to.name()}` }))
    await to.send(() => to.api.identities.create(home, { description: to.name() }))
    await to.send(() => to.api.identities.create(home, { raw: '{"name": "cut' }))
    const nobody = `${home}/00000000000000ab`
    const roles = await to.roles()
    for (const roleUid of ['ff'.repeat(20), roles[0]?.uid])
      await to.send(() => to.api.roleBindings.create(home, { identityUid: nobody, roleUid }))
  },
  'creates without a known token were refused': async (to, home) => {
    const owner = await to.identity(to.scope)
    for (const kind of ownKinds) await byNobody(to, kind, home, 'POST', await goodBody(to, kind, owner?.uid))
  },
  'a role binding with an unknown role was refused': async (to, home) => {
    const owner = await to.identity(home)
    const bound = { identityUid: owner?.uid, roleUid: 'ff'.repeat(20) }
    await to.send(() => to.api.roleBindings.create(home, bound))
    await remove(to, 'identities', owner)
  },
  'an identity was changed and deleted twice': async (to, home) => {
    const owner = await to.identity(home)
    const claimMatch = { issuer: 'https://issuer.example/emptied', subject: to.name() }
    await updateIdentity(to, owner?.uid, { name: to.name() })
    await updateIdentity(to, owner?.uid, { description: to.name(), claimMatch })
    for (let times = 0; times < 2; times++) await remove(to, 'identities', owner)
  },
  'an identity was bound twice and deleted with its role bindings': async (to, home) => {
    const owner = await to.identity(home)
    const bound = [await to.binding(home, owner, 0), await to.binding(home, owner, 1)]
    for (const binding of [...bound, ...bound]) await remove(to, 'roleBindings', binding)
    await remove(to, 'identities', owner)
  },
  'an identity of the group above was bound in it, and deleted': async (to, home) => {
    const owner = await to.identity(to.scope)
    await to.binding(home, owner)
    await to.children('roleBindings', home)
    await remove(to, 'identities', owner)
    // this list decides whether its role binding went with it
    await to.children('roleBindings', home)
  },
  'identities were made and deleted at once': async (to, home) => {
    const owners = await Promise.all([1, 2, 3, 4].map(() => to.identity(home)))
    await Promise.all(owners.map((owner) => remove(to, 'identities', owner)))
  },
  'one of each other kind was made and deleted': async (to, home) => {
    for (const kind of publishedKinds) {
      const made = await to.offered(kind, home)
      if (made) await to.send(() => to.api[kind].delete(made.uid))
    }
  },
  'one of each other kind was changed, and deleted': async (to, home) => {
    for (const kind of publishedKinds) await changeAndDelete(to, kind, await to.offered(kind, home))
  },
  'it was itself changed': async (to, home) => {
    await update(to, home, { name: to.name(), description: to.name() })
    await update(to, home, { name: `Bad@${to.name()}` })
    await to.send(() => to.v1.replace(home, { name: to.name() }))
  },
}

/** Makes a group for each happening; returns those that certainly hold nothing of the run afterwards. */
async function makeEmptied(driver: Driver): Promise<Emptied[]> {
  const emptied = await Promise.all(
    Object.entries(happenings).map(async ([what, happen]) => {
      const home = await driver.group(driver.scope)
      if (home === undefined) return []
      await happen(driver, home.uid)
      await driver.run.model.settled()
      return isEmpty(driver, home.uid) ? [{ uid: home.uid, what }] : []
    }),
  )
  return emptied.flat()
}

/** What deletes the groups, and proves that the target lets groups be deleted. */
interface Deleting {
  api: Api
  scratch: Scratch
  atLeast: (least: number, what: string, found: number) => void
}

/** Makes everything happen and deletes the groups patiently; returns those that stay, each with what happened in it. */
export async function keptOf(driver: Driver, { api, scratch, atLeast }: Deleting): Promise<string[]> {
  const untouched = await scratch.makeGroup()
  const emptied = await makeEmptied(driver)
  const kept = await Promise.all(
    emptied.map(async ({ uid, what }) => {
      const answer = await deleteGroup(api, scratch, uid)
      // refusals for other reasons than its contents are up to the target (R56)
      const isOther = isNotFound(answer) || (isSoftRefusal(answer) && codeIn(answer) !== 9)
      return succeeded(answer) || isOther ? [] : [`where ${what}: ${outcomeOf(answer)}`]
    }),
  )
  // as old as the others, and deleted after them
  const plain = await deleteGroup(api, scratch, untouched.uid)
  atLeast(1, 'plain deletes that succeed', succeeded(plain) ? emptied.length : 0)
  return kept.flat()
}

const isEmpty = (driver: Driver, home: string) =>
  !hasLostCreate(driver, home) && ownKinds.every((kind) => driver.isBare(kind, home))

/** True where it is open whether a create in a group, over either protocol, made something, or two of it (R43, R56). */
function hasLostCreate({ log }: Driver, home: string): boolean {
  const id = home.split('/').at(-1)!
  return log.exchanges.some((exchange) => {
    const { operation, silence, response, request } = exchange
    const { url, body = '' } = request
    const isOpen = silence !== undefined || isGivenUp({ status: response?.status }) || wasSentAgain(exchange)
    return isOpen && operation.endsWith('.create') && `${url} ${body}`.includes(id)
  })
}
