import type { Item } from '../domain/item.ts'
import { Refusal } from '../domain/refusal.ts'
import { type Variant, variant } from '../fault.ts'
import type { Replacement } from '../replace.ts'

/** The creator of a group is bound to a role in it. */
const bindsCreators =
  (counts: boolean): Replacement =>
  (contract) => {
    const own = new Set<string>()
    return {
      keep(item, at) {
        contract.keep(item, at)
        if (item.kind !== 'groups') return
        const { store } = at.world
        const [identity] = [...store.all('identities')].filter(({ name }) => name === 'builder')
        const [role] = store.under('roles', '')
        const uid = contract.mintUid(item, at)
        own.add(uid)
        const bound = { identityUid: identity?.uid ?? '', roleUid: role?.uid ?? '', name: '' }
        store.put({ ...item, ...bound, kind: 'roleBindings', uid, parent: item.uid })
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

/** Lawful role bindings, and groups that bind their creator. */
export const bindingsVariants: readonly Variant[] = [
  variant('a binding keeps the names that it was made with', () => {
    const first = new Map<string, Item>()
    return {
      hydrated(part, kind, binding) {
        const key = `${binding.uid} ${kind}`
        if (part && !first.has(key)) first.set(key, part)
        return first.get(key)
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
  variant('the creator of a group is bound in it, which does not keep it from being deleted', bindsCreators(false)),
  variant('the creator of a group is bound in it, and the binding has to go first', bindsCreators(true)),
]
