import type { Fields, Item } from '../../domain/item.ts'
import { type Fault, fault } from '../../fault.ts'
import { during, inV1, type Replacement } from '../../replace.ts'
import { inV1HasAll } from '../../variants/v1.ts'
import { foundByModel } from '../run/histories.ts'

/** An operation on groups of v1 that also finds an identity under its uid. */
const alsoIdentities = (operation: 'update' | 'delete') =>
  inV1(
    during(operation, (contract) => ({
      found: (uid, kind, at) => contract.found(uid, kind, at) ?? at.world.store.get('identities', uid),
    })),
  )

/** A fault of kinds other than groups where v1 has them (S9.2, S9.3). */
const otherKindFault = (name: string, broken: Replacement): Fault =>
  fault(name, foundByModel, (contract) => {
    const withOthers = { ...contract, ...inV1HasAll(contract) }
    return { ...withOthers, ...broken(withOthers) }
  })

/** A v1 form changed after it was made. */
const v1Shown =
  (change: (fields: Fields, item: Item) => Fields): Replacement =>
  (contract) => ({ v1Other: (fields, item, at) => change(contract.v1Other(fields, item, at), item) })

/** Faults in v1 that reach what is no group (S4.3, S9.1, R38). */
export const v1OtherKindFaults: readonly Fault[] = [
  fault(
    'a DELETE of a group in v1 with the uid of an identity deletes that identity',
    foundByModel,
    alsoIdentities('delete'),
  ),
  fault(
    'a PUT of a group in v1 with the uid of an identity changes that identity',
    foundByModel,
    alsoIdentities('update'),
  ),
  otherKindFault('v1 lists of identities and bindings have the key of v2', (contract) => ({
    v1ListBody: (items, at) => (at.kind === 'groups' ? contract.v1ListBody(items, at) : { [at.kind]: items }),
  })),
  otherKindFault(
    'v1 shows identities and bindings under their uid',
    v1Shown(({ id, ...fields }) => ({ uid: id, ...fields })),
  ),
  otherKindFault(
    'v1 shows identities and bindings with their createTime',
    v1Shown(({ createdAt, ...fields }) => ({ ...fields, createTime: createdAt })),
  ),
  otherKindFault('v1 shows identities by the name that they were made with', (contract) => {
    const names = new Map<string, unknown>()
    return v1Shown((fields, { uid }) => {
      names.set(uid, names.get(uid) ?? fields.name)
      return { ...fields, name: names.get(uid) }
    })(contract)
  }),
  otherKindFault('v1 shows deleted identities for ever', (contract) => {
    const kept = new Map<string, Item>()
    return {
      keep(item, at) {
        if (item.kind === 'identities') kept.set(item.uid, item)
        return contract.keep(item, at)
      },
      found: (uid, kind, at) => contract.found(uid, kind, at) ?? (at.version === 'v1' ? kept.get(uid) : undefined),
    }
  }),
  otherKindFault('v1 finds identities and bindings by the beginning of their uid', (contract) => ({
    found: (uid, kind, at) =>
      contract.found(uid, kind, at) ??
      (at.version === 'v1' && at.operation === 'get' && kind !== 'groups'
        ? [...at.world.store.all(kind)].find((item) => item.uid.startsWith(uid))
        : undefined),
  })),
]
