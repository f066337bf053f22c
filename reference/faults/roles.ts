import { Refusal } from '../domain/refusal.ts'
import { type Fault, fault } from '../fault.ts'
import { on } from '../replace.ts'

/** Faults in roles (S2.13). */
export const roleFaults: readonly Fault[] = [
  fault('a list of roles needs a scope', ['role.list.answers'], () => ({
    objection: (uid, { kind, operation }) =>
      kind === 'roles' && operation === 'list' && uid === ''
        ? new Refusal('invalid', 'uidp', 'a scope is required')
        : undefined,
  })),
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
    'in the order of their times the last role is left out',
    { turnsRed: ['model.role.members'], spreadsTo: ['*@roles', 'role.*'] },
    on('roles', (contract) => ({
      sorted(items, compare, at) {
        const sorted = contract.sorted(items, compare, at)
        return at.query?.order.field === 'createTime' ? sorted.slice(0, -1) : sorted
      },
    })),
  ),
  fault(
    'in the order of their times roles are not described',
    { turnsRed: ['model.role.content'], spreadsTo: ['*@roles', 'role.*'] },
    (contract) => ({
      role: (item, time, at) => ({
        ...contract.role(item, time, at),
        ...(at.query?.order.field === 'createTime' ? { description: '' } : {}),
      }),
    }),
  ),
]
