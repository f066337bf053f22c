import type { Caller, World } from '../at.ts'
import type { Item, Kind } from '../item.ts'
import { hex } from './known-uid.ts'
import { seedRegistry } from './registry.ts'

/** One organization of the reference: its caller, and the named group that a run works under. */
export interface Organization {
  readonly caller: Caller
  readonly groupUid: string
  /** Holds repos, tags and advisories, and groups with more of them. */
  readonly registryGroupUid: string
  /** Holds repos, and may be deleted. */
  readonly nonemptyGroupUid: string
}

const areas = (
  'account advisory apk artifact audit build catalog cluster cve delegation event group ' +
  'identity invite library manifest policy registry repo subscription'
).split(' ')
const verbs = { admin: 'does everything with', editor: 'writes', reader: 'reads' }

/** Stores the built-in roles; over sixty sort before `viewer`, by uid and by name, so it is on no first page. */
export function seedRoles(world: World): void {
  const made = areas.flatMap((area) =>
    Object.entries(verbs).map(([verb, does]) => [`${area}.${verb}`, `Built-in role: ${does} every ${area}.`]),
  )
  const viewer = ['viewer', 'Built-in viewer role: reads everything in a group.']
  const owner = ['owner', 'Built-in owner role: does everything in a group.']
  const editor = ['editor', 'Built-in editor role: writes everything in a group.']
  // names whose order is the same everywhere (R17)
  const others = ['biko', 'pomi'].map((name) => [name, `Built-in ${name} role.`])
  for (const [rank, [name = '', description = '']] of [...made, ...others, editor, owner, viewer].sort().entries()) {
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

/**
 * Stores an organization: a root, and below it the group to work under, one with a little of everything in the IAM
 * family, a registry with so many base names of repos, and one more with repos that may be lost.
 */
export function seedOrganization(world: World, name: string, baseNames = 4): Organization {
  const root = group(world, undefined, name)
  const working = group(world, root, 'conformance')
  const standing = group(world, root, 'standing')
  group(world, standing, 'inner')

  const identity = inhabitant(world, standing, 'identities', 'builder')
  inhabitant(world, standing, 'identities', 'deployer')
  const [role] = world.store.under('roles', '')
  const bound = { identityUid: identity.uid, roleUid: role?.uid ?? '', name: '' }
  world.store.put({ ...inhabitant(world, standing, 'roleBindings', 'binding'), ...bound })

  const oidc = { issuer: 'https://login.reference.test', clientId: name }
  for (const [kind, called, more] of [
    ['identityProviders', 'single sign-on', { oidc, defaultRole: role?.uid ?? '' }],
    ['accountAssociations', 'cloud account', {}],
    ['groupInvites', '', { roleUid: role?.uid ?? '', keyId: '0a1b2c3d', expirationTime: '2036-01-01T00:00:00Z' }],
  ] as const) {
    world.store.put({ ...inhabitant(world, standing, kind, called), ...more })
  }

  const registry = group(world, root, 'registry')
  const base = group(world, registry, 'base')
  const registries = [registry, base, group(world, base, 'legacy'), group(world, registry, 'apps')]
  seedRegistry(world, registries, baseNames)
  const expendable = group(world, root, 'expendable')
  seedRegistry(world, [expendable], 1)
  return {
    caller: { subject: `operator of ${name}`, org: root.uid },
    groupUid: working.uid,
    registryGroupUid: registry.uid,
    nonemptyGroupUid: expendable.uid,
  }
}

/** Stores so many more groups, a hundred per parent, in a part of an organization where no run looks. */
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

function inhabitant(world: World, parent: Item, kind: Kind, name: string): Item {
  const uid = `${parent.uid}/${hex('', `${parent.uid} ${kind} ${name}`, 16)}`
  const item: Item = { kind, uid, parent: parent.uid, org: parent.org, ...common(world, name) }
  if (kind !== 'identities') return item
  const claimMatch = { issuer: 'https://issuer.reference.test', subject: name }
  const identity = { ...item, claimMatch, lastSeenTime: item.createTime }
  world.store.put(identity)
  return identity
}

function common(world: World, name: string) {
  const time = world.now()
  return { name, description: `The ${name} of the reference.`, createTime: time, updateTime: time }
}
