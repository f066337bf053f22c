import { createHash } from 'node:crypto'
import type { Item } from './item.ts'
import type { Caller, World } from './world.ts'

/** One organization of the reference: its caller, and the named group that a run works under. */
export interface Organization {
  readonly caller: Caller
  readonly groupUid: string
}

const areas = (
  'account advisory apk artifact audit build catalog cluster cve delegation event group ' +
  'identity invite library manifest policy registry repo subscription'
).split(' ')
const verbs = { admin: 'does everything with', editor: 'writes', reader: 'reads' }

/** Keeps the built-in roles; sixty stand before `viewer`, by uid and by name, so it is on no first page (S2.13). */
export function seedRoles(world: World): void {
  const made = areas.flatMap((area) =>
    Object.entries(verbs).map(([verb, does]) => [`${area}.${verb}`, `Built-in role: ${does} every ${area}.`]),
  )
  const viewer = ['viewer', 'Built-in viewer role: reads everything in a group.']
  for (const [rank, [name = '', description = '']] of [...made, viewer].sort().entries()) {
    const time = Date.UTC(2024, 0, 1, 0, 0, 0, 123) + rank
    const place = {
      kind: 'roles',
      uid: hex(`${rank}`.padStart(2, '0'), name, 40),
      parent: '',
      org: '',
    } as const
    world.store.put({ ...place, name, description, createTime: time, updateTime: time })
  }
}

/** Keeps a small organization: a root, two groups below it, and in the second a group, two identities, a binding. */
export function seedOrganization(world: World, name: string): Organization {
  const root = group(world, undefined, name)
  const working = group(world, root, 'conformance')
  const standing = group(world, root, 'standing')
  group(world, standing, 'inner')

  const identity = inhabitant(world, standing, 'identities', 'builder')
  inhabitant(world, standing, 'identities', 'deployer')
  const [role] = world.store.under('roles', '')
  const bound = { identityUid: identity.uid, roleUid: role?.uid ?? '', name: '' }
  world.store.put({ ...inhabitant(world, standing, 'roleBindings', 'binding'), ...bound })

  return { caller: { subject: `operator of ${name}`, org: root.uid }, groupUid: working.uid }
}

/** Keeps so many more groups, a hundred to a parent, in a corner of an organization where no run looks. */
export function seedElsewhere(world: World, org: string, count: number): void {
  const root = world.store.get('groups', org)
  let parent = root && count > 0 ? group(world, root, 'elsewhere') : undefined
  const corner = parent
  for (let made = 0; made < count; made++) {
    if (made % 100 === 0 && corner) parent = group(world, corner, `elsewhere ${made}`)
    else if (parent) group(world, parent, `elsewhere ${made}`)
  }
}

function group(world: World, parent: Item | undefined, name: string): Item {
  const uid = parent ? `${parent.uid}/${hex('', `${parent.uid} ${name}`, 16)}` : hex('', name, 40)
  const place = { kind: 'groups', uid, parent: parent?.uid ?? '', org: parent?.org ?? uid } as const
  const item: Item = { ...place, ...common(world, name), resourceLimits: {}, verified: false }
  world.store.put(item)
  return item
}

function inhabitant(world: World, parent: Item, kind: 'identities' | 'roleBindings', name: string): Item {
  const uid = `${parent.uid}/${hex('', `${parent.uid} ${kind} ${name}`, 16)}`
  const item: Item = { kind, uid, parent: parent.uid, org: parent.org, ...common(world, name) }
  if (kind === 'roleBindings') return item
  const claimMatch = { issuer: 'https://issuer.reference.test', subject: name }
  const identity = { ...item, claimMatch, lastSeenTime: item.createTime }
  world.store.put(identity)
  return identity
}

function common(world: World, name: string) {
  const time = world.now()
  return { name, description: `The ${name} of the reference.`, createTime: time, updateTime: time }
}

// Known names have known uids, so that two runs against the reference can be compared.
function hex(beginning: string, text: string, digits: number): string {
  return (beginning + createHash('sha1').update(text).digest('hex')).slice(0, digits)
}
