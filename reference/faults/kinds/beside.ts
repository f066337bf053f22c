import type { Item } from '../../domain/item.ts'
import { type Fault, fault } from '../../fault.ts'
import { on, withBody } from '../../replace.ts'
import { foundByModel } from '../run/histories.ts'

/** Faults of writes that reach providers, associations or invites beside what they name (R29), and of what their bodies hold (R5). */
export const besideFaults: readonly Fault[] = [
  fault('describing a group empties the descriptions of the account associations in it', foundByModel, (contract) => ({
    async modify(steps, at) {
      const old = steps.read()
      const next = await contract.modify(steps, at)
      if (next.kind === 'groups' && old.description !== next.description)
        for (const other of [...at.world.store.under('accountAssociations', next.uid)])
          at.world.store.put({ ...other, description: '' })
      return next
    },
  })),
  fault('with a role binding go the invites to its role in its group', foundByModel, (contract) => ({
    alsoRemoved(item, at) {
      const gone = contract.alsoRemoved(item, at)
      if (item.kind !== 'roleBindings') return gone
      const invites = [...at.world.store.under('groupInvites', item.parent)]
      return [...gone, ...invites.filter(({ roleUid }) => roleUid === item.roleUid)]
    },
  })),
  fault('with an identity go the account associations of its group', foundByModel, (contract) => ({
    alsoRemoved(item, at) {
      const gone = contract.alsoRemoved(item, at)
      return item.kind === 'identities' ? [...gone, ...at.world.store.under('accountAssociations', item.parent)] : gone
    },
  })),
  fault(
    'with an invite go the others to its role in its group',
    { turnsRed: ['model.groupInvite.members'], spreadsTo: ['model.groupInvite.*', '*@groupInvites'] },
    (contract) => ({
      alsoRemoved(item, at) {
        const gone = contract.alsoRemoved(item, at)
        if (item.kind !== 'groupInvites') return gone
        const others = [...at.world.store.under('groupInvites', item.parent)]
        return [...gone, ...others.filter(({ uid, roleUid }) => uid !== item.uid && roleUid === item.roleUid)]
      },
    }),
  ),
  fault('a change of an identity provider is copied to the others of its issuer', foundByModel, (contract) => ({
    async modify(steps, at) {
      const old = steps.read()
      const next = await contract.modify(steps, at)
      if (next.kind === 'identityProviders' && old.description !== next.description)
        for (const other of [...at.world.store.under('identityProviders', next.parent)])
          if (other.oidc?.issuer === next.oidc?.issuer) at.world.store.put({ ...other, description: next.description })
      return next
    },
  })),
  fault(
    'a new account association takes the uid that it is sent',
    { turnsRed: ['model.accountAssociation.content'], spreadsTo: ['update.immutable@accountAssociations'] },
    on(
      'accountAssociations',
      withBody((sent, contract) => ({
        mintUid: (parent, at) =>
          typeof sent(at).uid === 'string' ? String(sent(at).uid) : contract.mintUid(parent, at),
      })),
    ),
  ),
  fault(
    'a new identity provider takes the createTime that it is sent',
    foundByModel,
    on(
      'identityProviders',
      withBody((sent, contract) => ({
        born(now, at) {
          const createTime = Date.parse(String(sent(at).createTime))
          const times = contract.born(now, at)
          return Number.isNaN(createTime) ? times : { ...times, createTime }
        },
      })),
    ),
  ),
  fault(
    'a new account association lives in the group that its body names as its parent',
    foundByModel,
    on(
      'accountAssociations',
      withBody((sent, contract) => ({
        keep(item, at) {
          const parent = at.world.store.get('groups', String(sent(at).parentUid ?? sent(at).groupUid))
          return contract.keep(parent ? { ...item, parent: parent.uid } : item, at)
        },
      })),
    ),
  ),
  fault(
    'a list of account associations shows what it did until something else is written',
    foundByModel,
    (contract) => {
      const kept = new Map<string, Item>()
      return {
        async modify(steps, at) {
          const old = steps.read()
          const next = await contract.modify(steps, at)
          if (next.kind === 'accountAssociations') kept.set(next.uid, kept.get(next.uid) ?? old)
          else kept.clear()
          return next
        },
        keep(item, at) {
          kept.clear()
          return contract.keep(item, at)
        },
        forget(steps, item, at) {
          kept.clear()
          return contract.forget(steps, item, at)
        },
        seen(item, at) {
          const seen = contract.seen(item, at)
          return (at.operation === 'list' && kept.get(item.uid)) || seen
        },
      }
    },
  ),
]
