import type { At } from '../../domain/at.ts'
import { type Fault, fault } from '../../fault.ts'

const isIn = (at: At, kind: string, operation: string) => at.kind === kind && at.operation === operation

/** Faults at a uid of another kind than the path names (R38). */
export const otherKindFaults: readonly Fault[] = [
  fault('an identity can be made below an identity', ['model.*'], (contract) => ({
    found(uid, kind, at) {
      const found = contract.found(uid, kind, at)
      return (
        found ??
        (kind === 'groups' && isIn(at, 'identities', 'create') ? at.world.store.get('identities', uid) : undefined)
      )
    },
  })),
  fault('a delete of a binding deletes the identity whose uid it is given', ['model.*'], (contract) => ({
    found(uid, kind, at) {
      const found = contract.found(uid, kind, at)
      return found ?? (isIn(at, 'roleBindings', 'delete') ? at.world.store.get('identities', uid) : undefined)
    },
  })),
  fault('a role is found by the beginning of its uid', ['model.*'], (contract) => ({
    found(uid, kind, at) {
      const found = contract.found(uid, kind, at)
      if (found || kind !== 'roles' || uid.length < 8) return found
      for (const role of at.world.store.under('roles', '')) if (role.uid.startsWith(uid)) return role
      return undefined
    },
  })),
]
