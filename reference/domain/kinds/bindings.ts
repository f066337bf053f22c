import type { Item, Kind } from '../item.ts'
import { Refusal } from '../refusal.ts'
import type { Context } from '../service.ts'
import { firstInvalid, type Resource, timeAt, visible } from './resource.ts'

const named = { identityUid: 'identities', roleUid: 'roles' } as const

/** Role bindings (S2.14, S2.15, S4.5). */
export const roleBindings: Resource = {
  family: 'iam',
  operations: ['list', 'get', 'create', 'update', 'delete'],
  refuses(fields, listed, at) {
    const { rules } = at.world
    const malformed = firstInvalid(listed, {
      identityUid: () => rules.referenceProblem(fields.identityUid, 'identityUid', at),
      roleUid: () => rules.referenceProblem(fields.roleUid, 'roleUid', at),
    })
    if (malformed) return malformed
    for (const [field, kind] of Object.entries(named)) {
      if (!listed.includes(field)) continue
      const uid = String(fields[field])
      if (!rules.referenceHolds(visible(kind, uid, at), kind, at)) {
        return new Refusal('missing', kind, `there is no ${JSON.stringify(uid)}`)
      }
    }
    return undefined
  },
  render(item, at) {
    const parts = {
      identity: part('identities', item.identityUid, item, at),
      group: part('groups', item.parent, item, at),
      role: part('roles', item.roleUid, item, at),
    }
    return at.world.rules.roleBinding(item, parts, timeAt(at), at)
  },
}

function part(kind: Kind, uid: string | undefined, binding: Item, at: Context): Item | undefined {
  const { rules, store } = at.world
  const kept = store.get(kind, uid ?? '')
  const item = kept && rules.seen(kept, at)
  return rules.hydrated(item, kind, binding, at)
}
