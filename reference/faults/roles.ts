import { randomBytes } from 'node:crypto'
import { Refusal } from '../domain/refusal.ts'
import { type Fault, fault } from '../fault.ts'
import { both, during, on, type Replacement } from '../replace.ts'
import { customRoles } from '../variants/roles.ts'
import { changed, foundByModel } from './run/histories.ts'

/** A fault of roles where they can be made (S1.2). */
const customRoleFault = (name: string, broken: Replacement): Fault =>
  fault(name, foundByModel, both(customRoles, broken))

const tokenless = (operation: 'create' | 'update' | 'delete') =>
  on('roles', during(operation, { needsToken: () => false }))

/** Faults in roles (S2.13). */
export const roleFaults: readonly Fault[] = [
  customRoleFault('a role is made without a token', tokenless('create')),
  customRoleFault('a role is changed without a token', tokenless('update')),
  customRoleFault('a role is deleted without a token', tokenless('delete')),
  customRoleFault(
    'a deleted role stays in lists',
    on('roles', (contract) => ({
      forget: ({ drop }, item, at) => contract.forget({ drop, unlist: () => {} }, item, at),
    })),
  ),
  customRoleFault('an update of a role has no mask', on('roles', { mask: () => undefined })),
  customRoleFault(
    'a role has its uid below a group',
    on('roles', { mintUid: ({ uid }) => `${uid}/${randomBytes(8).toString('hex')}` }),
  ),
  customRoleFault(
    'a deleted role is still found',
    on('roles', (contract) => ({
      forget: ({ unlist }, item, at) => contract.forget({ drop: () => {}, unlist }, item, at),
    })),
  ),
  customRoleFault(
    'a rename of a role takes its description',
    on('roles', (contract) =>
      changed(contract, (old, next) => (next.name === old.name ? next : { ...next, description: '' })),
    ),
  ),
  fault('Get finds a role by its name', ['role.get.missing'], (contract) => ({
    found: (uid, kind, at) =>
      contract.found(uid, kind, at) ??
      (kind === 'roles' && at.operation === 'get'
        ? [...at.world.store.all('roles')].find(({ name }) => name === uid)
        : undefined),
  })),
  fault('Get finds a role by the beginning of its uid', ['role.get.missing'], (contract) => ({
    found: (uid, kind, at) =>
      contract.found(uid, kind, at) ??
      (kind === 'roles' && at.operation === 'get'
        ? [...at.world.store.all('roles')].find((role) => role.uid.startsWith(uid))
        : undefined),
  })),
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
