import { createHash, randomBytes } from 'node:crypto'
import type { Item } from '../domain/item.ts'
import { Refusal } from '../domain/refusal.ts'
import { type Variant, variant } from '../fault.ts'
import { on, type Replacement, withRequest } from '../replace.ts'

/** A built-in role that was made long ago. */
const roleOf = (uid: string, name: string): Item => ({
  kind: 'roles',
  uid,
  parent: '',
  org: '',
  name,
  description: '',
  createTime: 1.6e12,
  updateTime: 1.6e12,
})

/** Roles that can be made, changed and deleted; the built-in ones stay as they are (S1.2, S2.3). */
export const customRoles: Replacement = (contract) => ({
  alsoOffered: (kind) => (kind === 'roles' ? ['create', 'update', 'delete'] : contract.alsoOffered(kind)),
  settable: (at) => (at.kind === 'roles' ? ['name', 'description'] : contract.settable(at)),
  mintUid: (parent, at) => (at.kind === 'roles' ? randomBytes(20).toString('hex') : contract.mintUid(parent, at)),
  // listed beside the built-in ones, in its own organization
  keep: (item, at) => contract.keep(item.kind === 'roles' ? { ...item, parent: '' } : item, at),
  objection: (uid, at) =>
    at.kind === 'roles' && ['update', 'delete'].includes(at.operation) && at.world.store.get('roles', uid)?.org === ''
      ? new Refusal('forbidden', 'roles', 'a built-in role stays as it is')
      : contract.objection(uid, at),
})

/** Lawful roles. */
export const roleVariants: readonly Variant[] = [
  variant('roles can be made, changed and deleted', customRoles),
  variant('roles can be made, and show two seconds later', (contract) => {
    const custom = { ...contract, ...customRoles(contract) }
    return {
      ...customRoles(contract),
      seen: (item, at) =>
        item.kind === 'roles' && item.org !== '' && at.operation === 'list' && at.world.now() - item.createTime < 2_000
          ? undefined
          : custom.seen(item, at),
    }
  }),
  variant(
    'roles have no times and mostly no description',
    (contract) => ({
      role(...given) {
        const { uid, name, description } = contract.role(...given)
        return name === 'viewer' ? { uid, name, description } : { uid, name }
      },
    }),
    ['role.times'],
  ),
  variant('there are three roles', (contract) => ({
    seen: (item, at) =>
      item.kind !== 'roles' || ['viewer', 'group.editor', 'group.admin'].includes(item.name)
        ? contract.seen(item, at)
        : undefined,
  })),
  variant('there is one role', (contract) => ({
    seen: (item, at) => (item.kind !== 'roles' || item.name === 'viewer' ? contract.seen(item, at) : undefined),
  })),
  variant('there are three hundred roles, and the viewer is the last', (contract) => {
    let made = false
    return {
      transport(request, response, serve, at) {
        const [pattern] = at.world.store.under('roles', '')
        for (let count = 0; !made && pattern && count < 240; count++) {
          const name = `area.${'abcdefghijklmnop'[count >> 4]}${'abcdefghijklmnop'[count & 15]}`
          const uid = `5${createHash('sha1').update(name).digest('hex').slice(1)}`
          at.world.store.put({ ...pattern, uid, name, description: '' })
        }
        made = true
        return contract.transport(request, response, serve, at)
      },
    }
  }),
  variant(
    'roles have no scope',
    on('roles', {
      objection: (uid, { operation }) =>
        operation === 'list' && uid !== '' ? new Refusal('invalid', 'uidp', 'roles live in no group') : undefined,
    }),
  ),
  variant(
    'roles are described in the language of the caller',
    withRequest((request, contract) => {
      const described = (item: Item) => {
        const [language] = request().headers['accept-language']?.split(/[-,;]/) ?? []
        return language === undefined || item.description === '' ? item : { ...item, description: `${language}: role` }
      }
      return {
        role: (item, ...given) => contract.role(described(item), ...given),
        hydrated: (part, kind, ...given) =>
          contract.hydrated(part && kind === 'roles' ? described(part) : part, kind, ...given),
      }
    }),
  ),
  variant('the viewer is described in another language', (contract) => {
    const described = (item: Item) =>
      item.name === 'viewer' ? { ...item, description: 'Leserolle, mitgeliefert.' } : item
    return {
      role: (item, ...given) => contract.role(described(item), ...given),
      hydrated: (part, ...given) => contract.hydrated(part && described(part), ...given),
    }
  }),
  variant('there are roles of the organization beside those that are built in', (contract) => {
    let made = false
    return {
      transport(request, response, serve, at) {
        const { store, operator, now } = at.world
        const [pattern] = store.under('roles', '')
        const time = now()
        if (!made && pattern)
          store.put({
            ...pattern,
            uid: 'c0ffee',
            name: 'My Own Role',
            org: operator.org,
            createTime: time,
            updateTime: time,
          })
        made = true
        return contract.transport(request, response, serve, at)
      },
    }
  }),
  variant('a role of the organization is also called viewer, and says nothing', (contract) => {
    const own = roleOf(`${'0'.repeat(31)}1`, 'viewer')
    return {
      *candidates(at) {
        yield* contract.candidates(at)
        if (at.kind === 'roles') yield own
      },
      found: (uid, kind, at) => (kind === 'roles' && uid === own.uid ? own : contract.found(uid, kind, at)),
      hydrated: (part, kind, binding, at) =>
        part ?? (kind === 'roles' && binding.roleUid === own.uid ? own : contract.hydrated(part, kind, binding, at)),
    }
  }),
  variant('every role names two thousand capabilities', (contract) => {
    const capabilities = Array.from({ length: 2_000 }, (_, index) => `capability.${index}`)
    const more = Array.from({ length: 45 }, (_, index) =>
      roleOf((0xabc000 + index).toString(16).padStart(32, '0'), `built-in ${index}`),
    )
    return {
      role: (item, time, at) => ({ ...contract.role(item, time, at), capabilities }),
      *candidates(at) {
        yield* contract.candidates(at)
        if (at.kind === 'roles') yield* more
      },
      found: (uid, kind, at) =>
        contract.found(uid, kind, at) ?? (kind === 'roles' ? more.find((role) => role.uid === uid) : undefined),
      hydrated: (part, kind, binding, at) =>
        contract.hydrated(part, kind, binding, at) ??
        (kind === 'roles' ? more.find(({ uid }) => uid === binding.roleUid) : undefined),
    }
  }),
  variant('names of roles end in a sign beyond the basic plane', (contract) => {
    const own = (item: Item) => (item.name === 'viewer' ? item.name : `Rôle/${item.name} & "Co" — 角色 🙂`)
    return {
      role: (item, time, at) => ({ ...contract.role(item, time, at), name: own(item) }),
      matchesName: (item, name, at) =>
        item.kind === 'roles' ? own(item) === name : contract.matchesName(item, name, at),
      sortKey: (item, field, at) =>
        item.kind === 'roles' && field === 'name' ? own(item) : contract.sortKey(item, field, at),
      hydrated(part, kind, binding, at) {
        const shown = contract.hydrated(part, kind, binding, at)
        return shown && kind === 'roles' ? { ...shown, name: own(shown) } : shown
      },
    }
  }),
]
