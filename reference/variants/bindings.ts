import { createHash } from 'node:crypto'
import type { At } from '../domain/at.ts'
import type { Item } from '../domain/item.ts'
import { Refusal } from '../domain/refusal.ts'
import { type Variant, variant } from '../fault.ts'
import { on, type Replacement, withBody } from '../replace.ts'

/** The creator of a group is bound to a role in it. */
export const bindsCreators =
  (counts: boolean, lag = 0): Replacement =>
  (contract) => {
    const own = new Set<string>()
    const bind = (item: Item, at: At) => {
      const { store } = at.world
      if (!store.get('groups', item.uid)) return
      const [identity] = [...store.all('identities')].filter(({ name }) => name === 'builder')
      const [role] = store.under('roles', '')
      const uid = contract.mintUid(item, at)
      own.add(uid)
      const bound = { identityUid: identity?.uid ?? '', roleUid: role?.uid ?? '', name: '' }
      store.put({ ...item, ...bound, kind: 'roleBindings', uid, parent: item.uid })
    }
    return {
      keep(item, at) {
        contract.keep(item, at)
        if (item.kind !== 'groups') return
        if (lag === 0) bind(item, at)
        else setTimeout(() => bind(item, at), lag).unref()
      },
      blocksDelete(item, living, at) {
        const bindings = [...at.world.store.under('roleBindings', item.uid)]
        const free = !counts && bindings.every(({ uid }) => own.has(uid))
        return contract.blocksDelete(item, free ? living.filter((kind) => kind !== 'roleBindings') : living, at)
      },
      alsoRemoved: (item, at) => [
        ...contract.alsoRemoved(item, at),
        ...(item.kind === 'groups' ? at.world.store.under('roleBindings', item.uid) : []),
      ],
    }
  }

/** Bindings to other roles than the viewer are refused. */
const onlyViewer = (problem: 'forbidden' | 'invalid'): Replacement =>
  on(
    'roleBindings',
    withBody((sent) => ({
      nameTaken(_wanted, at) {
        const { roleUid } = sent(at)
        const role = at.world.store.get('roles', String(roleUid))
        if (role && role.name !== 'viewer') throw new Refusal(problem, 'roleUid', 'this role cannot be bound')
        return false
      },
    })),
  )

/** A create of something that exists is answered with it; nothing is made. */
const answeredAsBefore: Replacement = (contract) => {
  const again = new WeakMap<At, Item>()
  return {
    nameTaken(wanted, at) {
      const same = at.world.store
        .bindingsOf(wanted.kind === 'roleBindings' && at.operation === 'create' ? (wanted.identityUid ?? '') : '')
        .find(({ roleUid, parent }) => roleUid === wanted.roleUid && parent === wanted.parent)
      if (same) again.set(at, same)
      return same !== undefined || contract.nameTaken(wanted, at)
    },
    render(answer, at) {
      const there = again.get(at)
      if (there === undefined) return contract.render(answer, at)
      const { store } = at.world
      const parts = {
        identity: store.get('identities', there.identityUid ?? ''),
        group: store.get('groups', there.parent),
        role: store.get('roles', there.roleUid ?? ''),
      }
      const body = contract.roleBinding(there, parts, (milliseconds) => contract.timestamp(milliseconds, at), at)
      return contract.render({ status: 200, headers: {}, body }, at)
    },
  }
}

/** Lawful role bindings, and groups that bind their creator. */
export const bindingVariants: readonly Variant[] = [
  variant('a binding keeps the names that it was made with', () => {
    const first = new Map<string, Item>()
    return {
      hydrated(part, kind, binding) {
        // one made again with the uid of a deleted one shows the names of its own time (R7)
        const key = `${binding.uid} ${binding.createTime} ${kind}`
        // a part that is bound later is embedded as it is then
        if (part && first.get(key)?.uid !== part.uid) first.set(key, part)
        const known = first.get(key)
        // its claims are as they are (R7)
        return part && known ? { ...part, name: known.name, description: known.description } : known
      },
    }
  }, ['roleBinding.hydrated.live', 'roleBinding.hydrated.live-identity']),
  variant('roles and bindings can do what is printed and no more', () => ({
    objection: (_uid, { kind, operation }) =>
      (kind === 'roleBindings' && !['create', 'delete'].includes(operation)) ||
      (kind === 'roles' && operation !== 'list')
        ? new Refusal('unimplemented', 'method', 'not implemented')
        : undefined,
  })),
  variant('role bindings cannot be listed or updated', () => ({
    objection: (_uid, { kind, operation }) =>
      kind === 'roleBindings' && ['list', 'update'].includes(operation)
        ? new Refusal('unimplemented', 'method', 'not implemented')
        : undefined,
  })),
  variant('the creator of a group is bound in it, which does not keep it from being deleted', bindsCreators(false)),
  variant('the creator of a group is bound in it, and the binding has to go first', bindsCreators(true)),
  variant('the creator of a group is bound in it two seconds later', bindsCreators(false, 2_000)),
  variant('no role but the viewer may be bound', onlyViewer('forbidden')),
  variant('no role but the viewer can be bound', onlyViewer('invalid')),
  variant('a binding that is there already is answered as it is', on('roleBindings', answeredAsBefore)),
  variant(
    'a binding has the same uid whenever it is made',
    withBody((sent, contract) => ({
      mintUid(parent, at) {
        if (at.kind !== 'roleBindings') return contract.mintUid(parent, at)
        const { identityUid, roleUid } = sent(at)
        const digest = createHash('sha1').update(`${identityUid} ${roleUid}`).digest('hex')
        return `${parent.uid}/${digest.slice(0, 16)}`
      },
      nameTaken: (wanted, at) =>
        wanted.kind === 'roleBindings'
          ? at.world.store.get('roleBindings', wanted.uid) !== undefined
          : contract.nameTaken(wanted, at),
    })),
    ['service.uids'],
  ),
  variant('an identity has one role in a group', (contract) => ({
    nameTaken: (wanted, at) =>
      wanted.kind === 'roleBindings'
        ? at.world.store
            .bindingsOf(wanted.identityUid ?? '')
            .some(({ uid, parent }) => parent === wanted.parent && uid !== wanted.uid)
        : contract.nameTaken(wanted, at),
  })),
  variant('a binding cannot be updated', (contract) => ({
    objection: (uid, at) =>
      at.kind === 'roleBindings' && at.operation === 'update'
        ? new Refusal('invalid', 'roleUid', 'a binding stays as it is')
        : contract.objection(uid, at),
  })),
  variant(
    'the uid of a binding is made of what it binds',
    on(
      'roleBindings',
      withBody((sent, contract) => ({
        mintUid(parent, at) {
          const { identityUid, roleUid } = sent(at)
          const made = createHash('sha1').update(`${identityUid} ${roleUid}`).digest('hex').slice(0, 16)
          const uid = `${parent.uid}/${made}`
          return at.world.store.get('roleBindings', uid) ? contract.mintUid(parent, at) : uid
        },
      })),
    ),
    ['service.uids'],
  ),
]
