import type { Fields, Item } from './domain/item.ts'
import { during, type Fault, fault, on, type Replacement, when, withBody } from './replace.ts'

/** Groups that one operation shows another way. */
const groupsShown = (
  operation: 'create' | 'get' | 'list' | 'update',
  show: (fields: Fields, item: Item) => Fields,
): Replacement =>
  during(operation, (contract) => ({
    group: (item, time, at) => show(contract.group(item, time, at), item),
  }))

/** Descriptions of groups that are kept another way. */
const describedAs = (change: (text: string) => string): Replacement =>
  on('groups', {
    stored: (value, field) => (field === 'description' && typeof value === 'string' ? change(value) : value),
  })

const depthOf = (uid: string) => uid.split('/').length

/** What goes wrong with single resources and what Create makes (sections 2 and 4). */
export const faultsOfResources: readonly Fault[] = [
  // Uids
  fault(
    'a uid is made from the parent and the name',
    ['group.delete.uid-stays-dead'],
    on(
      'groups',
      withBody((sent, contract) => ({
        mintUid: (parent, at) =>
          typeof sent(at).name === 'string'
            ? `${parent.uid}/${Buffer.from(`${sent(at).name}`).toString('hex')}`
            : contract.mintUid(parent, at),
      })),
    ),
  ),
  fault(
    'from the seventh level on a uid ends in letters that are no digits',
    ['group.uid.path'],
    on('groups', (contract) => ({
      mintUid: (parent, at) => contract.mintUid(parent, at) + (depthOf(parent.uid) >= 6 ? 'z' : ''),
    })),
  ),
  fault(
    'a client may choose the uid of its group',
    ['group.uid.unchosen'],
    on('groups', during('create', { settable: () => ['name', 'description', 'uid'] })),
  ),
  fault(
    'a client may name another parent in the body',
    ['group.uid.unchosen'],
    on('groups', during('create', { settable: () => ['name', 'description', 'parent'] })),
  ),
  fault(
    'what has no uid of its own in the index of groups is looked up among identities',
    ['group.wrong-kind'],
    on('groups', (contract) => ({
      found: (uid, kind, at) => contract.found(uid, kind, at) ?? at.world.store.get('identities', uid),
    })),
  ),

  // Descriptions
  fault('the description of one group stands in the next one that has none', ['group.description.optional'], () => {
    let last = ''
    return {
      stored(value, field) {
        if (field === 'description' && typeof value === 'string') last = value
        return value
      },
      newborn: (at) => ({
        description: last,
        ...(at.kind === 'groups' ? { resourceLimits: {}, verified: false } : {}),
      }),
    }
  }),
  fault(
    'a list escapes descriptions for HTML',
    ['group.description.kept'],
    groupsShown('list', (fields) => ({
      ...fields,
      description: String(fields.description).replaceAll('&', '&amp;').replaceAll('<', '&lt;'),
    })),
  ),
  fault(
    'letters beyond Latin become question marks',
    ['group.description.kept'],
    describedAs((text) => text.replace(/[^\u0000-\u00ff]/g, '?')),
  ),
  fault(
    'two blanks in a description become one',
    ['group.description.kept'],
    describedAs((text) => text.replace(/ {2}/g, ' ')),
  ),

  // What one answer alone gets wrong
  fault(
    'get leaves empty limits out',
    ['group.get.shape'],
    groupsShown('get', ({ resourceLimits: _, ...fields }) => fields),
  ),
  fault(
    'an update answers null for empty limits',
    ['group.update.shape'],
    groupsShown('update', (fields) => ({ ...fields, resourceLimits: null })),
  ),
  fault(
    'a list shows verified as text',
    ['group.list.*'],
    groupsShown('list', (fields) => ({ ...fields, verified: String(fields.verified) })),
  ),
  fault(
    'a list shows the time of the last update as that of the creation',
    ['group.update.returns-result'],
    groupsShown('list', (fields) => ({ ...fields, createTime: fields.updateTime })),
  ),
  fault(
    'a list shows groups as they were when they were made',
    ['group.update.returns-result', 'group.description.kept'],
    on('groups', (contract) => {
      const made = new Map<string, Item>()
      return {
        keep(item, at) {
          contract.keep(item, at)
          made.set(item.uid, item)
        },
        group: (item, time, at) => contract.group((at.operation === 'list' && made.get(item.uid)) || item, time, at),
      }
    }),
  ),
  fault(
    'a list shows a group for ever as it first showed it',
    ['group.update.returns-result'],
    during('list', (contract) => {
      const first = new Map<string, Fields>()
      return {
        group(item, time, at) {
          const shown = first.get(item.uid) ?? contract.group(item, time, at)
          first.set(item.uid, shown)
          return shown
        },
      }
    }),
  ),
  fault(
    'a list rounds times to the half second',
    ['group.list.same', 'identity.list.answers'],
    when(({ operation, kind }) => operation === 'list' && ['groups', 'identities'].includes(kind), {
      timestamp: (milliseconds) => new Date(Math.floor(milliseconds / 500) * 500).toISOString(),
    }),
  ),
  fault(
    'one group in a burst is answered with another',
    ['group.create.many', 'group.description.kept'],
    (contract) => {
      let held: Item | undefined
      return during('create', (contract) => ({
        group(item, time, at) {
          const shown = held && held.parent === item.parent && held.createTime === item.createTime ? held : item
          held = item
          return contract.group({ ...item, description: shown.description }, time, at)
        },
      }))(contract)
    },
  ),

  // Server-owned fields
  fault(
    'a new group is verified',
    ['group.verified.*'],
    on('groups', { newborn: () => ({ description: '', resourceLimits: {}, verified: true }) }),
  ),
  fault(
    'a client may verify its group',
    ['group.verified.unchosen'],
    on('groups', { settable: () => ['name', 'description', 'verified'] }),
  ),
  fault(
    'a client may verify its group by update',
    ['group.verified.unchosen'],
    on('groups', during('update', { settable: () => ['name', 'description', 'verified'] })),
  ),
  fault(
    'a new group has every limit at zero',
    ['group.limits.new'],
    on('groups', {
      newborn: () => ({ description: '', resourceLimits: { repositories: 0, clusters: 0 }, verified: false }),
    }),
  ),
  fault(
    'a client may set the times of its group',
    ['group.times.unchosen'],
    on(
      'groups',
      during('create', {
        settable: () => ['name', 'description', 'createTime', 'updateTime'],
        stored: (value, field) => (field.endsWith('Time') ? Date.parse(String(value)) : value),
      }),
    ),
  ),

  // Times
  fault('times have microseconds', ['time.format', 'time.form'], () => ({
    timestamp: (milliseconds) => new Date(milliseconds).toISOString().replace('Z', '457Z'),
  })),
  fault(
    'createTime is told to the second',
    { turnsRed: ['time.precision'], spreadsTo: ['list.walk.complete', 'list.order.created_at*'] },
    (contract) => ({
      text: (body, at) => String(contract.text(body, at)).replaceAll(/("createTime":"[^".]+)\.\d+Z/g, '$1Z'),
    }),
  ),
  fault('local times are written with a Z', ['time.clock'], () => ({
    timestamp: (milliseconds) => new Date(milliseconds + 2 * 60 * 60 * 1000).toISOString(),
  })),
  fault(
    'a list of identities writes the zone without a colon',
    ['time.format', 'time.form'],
    on(
      'identities',
      during('list', {
        timestamp: (milliseconds) => new Date(milliseconds).toISOString().replace('Z', '+0000'),
      }),
    ),
  ),

  // Identities, roles, bindings
  fault(
    'identities lose the capitals of their claims',
    ['identity.claim-match.kept'],
    on('identities', (contract) => ({
      stored: (value, field, at) =>
        field === 'claimMatch' ? JSON.parse(JSON.stringify(contract.stored(value, field, at)).toLowerCase()) : value,
    })),
  ),
  fault(
    'a new identity was last seen in 1970',
    ['identity.last-seen.new'],
    on('identities', { born: (now) => ({ createTime: now, updateTime: now, lastSeenTime: 0 }) }),
  ),
  fault(
    'a list of identities leaves the claim match out',
    ['identity.list.answers'],
    on(
      'identities',
      during('list', (contract) => ({
        identity(item, time, at) {
          const { claimMatch: _, ...fields } = contract.identity(item, time, at)
          return fields
        },
      })),
    ),
  ),
  fault('roles have no times', ['role.times'], (contract) => ({
    role(item, time, at) {
      const { createTime: _, updateTime: __, ...fields } = contract.role(item, time, at)
      return fields
    },
  })),
  fault(
    'the last role on the last page is left out',
    ['role.viewer'],
    on('roles', { seen: (item) => (item.name === 'viewer' ? undefined : item) }),
  ),
  fault('the viewer is not described', ['role.viewer'], (contract) => ({
    role: (item, time, at) => ({
      ...contract.role(item, time, at),
      ...(item.name === 'viewer' ? { description: '' } : {}),
    }),
  })),
  fault(
    'a binding shows its identity without the subject',
    ['roleBinding.hydrated', 'roleBinding.hydrated.new-claims'],
    (contract) => ({
      roleBinding(item, parts, time, at) {
        const fields = contract.roleBinding(item, parts, time, at)
        return { ...fields, identity: { ...(fields.identity as Fields), subject: '' } }
      },
    }),
  ),
  fault(
    'a binding shows the group of its identity',
    ['roleBinding.hydrated', 'roleBinding.hydrated.renamed', 'roleBinding.hydrated.live'],
    when(
      ({ kind }) => kind === 'roleBindings',
      (contract) => ({
        roleBinding: (item, parts, time, at) =>
          contract.roleBinding(
            item,
            { ...parts, group: at.world.store.get('groups', parts.identity?.parent ?? '') },
            time,
            at,
          ),
      }),
    ),
  ),
  fault(
    'a binding shows its group as it first saw it',
    ['roleBinding.hydrated.renamed', 'roleBinding.hydrated.live'],
    () => {
      const first = new Map<string, Item>()
      return {
        hydrated(part, kind) {
          if (!part || kind !== 'groups') return part
          if (!first.has(part.uid)) first.set(part.uid, part)
          return first.get(part.uid)
        },
      }
    },
  ),
  fault('a binding shows the first role whatever was asked for', ['roleBinding.hydrated'], (contract) => ({
    hydrated(part, kind, binding, at) {
      if (kind !== 'roles') return contract.hydrated(part, kind, binding, at)
      const [first] = at.world.store.under('roles', '')
      return first
    },
  })),
  fault('a binding takes a role that never was', ['roleBinding.create.unknown'], () => ({
    referenceHolds: (found, kind) => found !== undefined || kind === 'roles',
  })),
  fault(
    'a binding is refused but kept',
    ['roleBinding.create.unknown'],
    on('roleBindings', {
      leftByRefusedCreate: (draft) => [draft],
    }),
  ),
]
