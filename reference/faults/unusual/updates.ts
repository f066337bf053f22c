import type { Item } from '../../domain/item.ts'
import { Refusal } from '../../domain/refusal.ts'
import { type Fault, fault } from '../../fault.ts'
import { withBody } from '../../replace.ts'
import type { Rules } from '../../rules.types.ts'

/** Updates that remember the names which a group has had, and these names. */
function rememberingNames(contract: Rules): Pick<Rules, 'modify'> & { namesOf: (item: Item) => readonly string[] } {
  const names = new Map<string, string[]>()
  return {
    namesOf: ({ uid }) => names.get(uid) ?? [],
    modify(steps, at) {
      const write = (next: Item) => {
        const old = steps.read()
        if (old.kind === 'groups' && old.name !== next.name)
          names.set(old.uid, [...(names.get(old.uid) ?? []), old.name])
        steps.write(next)
      }
      return contract.modify({ ...steps, write }, at)
    },
  }
}

/** Faults of names and descriptions that come back, and of what follows a refused call. */
export const unusualUpdateFaults: readonly Fault[] = [
  fault('a group that got an earlier name back is not found by it', ['model.*'], (contract) => {
    const { modify, namesOf } = rememberingNames(contract)
    return {
      modify,
      matchesName: (item, name, at) => contract.matchesName(item, name, at) && !namesOf(item).includes(name),
    }
  }),
  fault(
    'a create with the uid of another group gives that group its description',
    { turnsRed: ['model.group.content'], spreadsTo: ['group.*', 'grpc.*'] },
    withBody((sent, contract) => ({
      keep(item, at) {
        contract.keep(item, at)
        const { uid, description } = sent(at)
        const other = item.kind === 'groups' && typeof uid === 'string' && at.world.store.get('groups', uid)
        if (other && typeof description === 'string') at.world.store.put({ ...other, description })
      },
    })),
  ),
  fault(
    'Get of an identity also shows it where its uid goes on',
    { turnsRed: ['model.identity.refusal'], spreadsTo: ['identity.get.*', 'grpc.*'] },
    (contract) => ({
      transport(request, response, serve, at) {
        const [, shorter, uid] =
          /^(\/iam\/v2beta1\/identities\/(.+))(?:\/|%2F)[0-9a-f]{16}$/i.exec(request.url ?? '') ?? []
        const isKnown = uid !== undefined && at.world.store.get('identities', decodeURIComponent(uid))
        if (request.method === 'GET' && isKnown) request.url = shorter
        return contract.transport(request, response, serve, at)
      },
    }),
  ),
  fault('the second of three names still finds the group', ['model.*'], (contract) => {
    const { modify, namesOf } = rememberingNames(contract)
    return {
      modify,
      matchesName: (item, name, at) => contract.matchesName(item, name, at) || namesOf(item).slice(1).includes(name),
    }
  }),
  fault(
    'a group whose deleted sibling had its name cannot be deleted',
    { turnsRed: ['model.*'], spreadsTo: ['service.faults'] },
    (contract) => {
      const gone = new Set<string>()
      const key = (item: Item) => `${item.parent} ${item.name}`
      return {
        blocksDelete(item, living, at) {
          const blocks = contract.blocksDelete(item, living, at)
          if (!blocks && item.kind === 'groups' && gone.has(key(item)))
            throw new Refusal('internal', 'server', 'duplicate key value violates unique constraint')
          return blocks
        },
        forget(steps, item, at) {
          if (item.kind === 'groups') gone.add(key(item))
          contract.forget(steps, item, at)
        },
      }
    },
  ),
  fault(
    'an update that sends the claim match as it is changes nothing else',
    ['model.*'],
    withBody((sent, contract) => ({
      modify(steps, at) {
        const { claimMatch } = sent(at) as { claimMatch?: { issuer?: string; subject?: string } }
        return contract.modify(
          {
            ...steps,
            change(old) {
              const same =
                claimMatch !== undefined &&
                old.claimMatch?.issuer === claimMatch.issuer &&
                old.claimMatch?.subject === claimMatch.subject
              return same ? old : steps.change(old)
            },
          },
          at,
        )
      },
    })),
  ),
  fault('a group does not get the description of its create back', ['model.*'], (contract) => {
    const first = new Map<string, string>()
    return {
      keep(item, at) {
        if (item.kind === 'groups') first.set(item.uid, item.description)
        contract.keep(item, at)
      },
      modify(steps, at) {
        return contract.modify(
          {
            ...steps,
            change(old) {
              const next = steps.change(old)
              const isBack = next.description !== '' && next.description === first.get(old.uid)
              return isBack ? { ...next, description: old.description } : next
            },
          },
          at,
        )
      },
    }
  }),
  fault('a group whose delete was refused takes no more identities', ['model.*'], (contract) => {
    const deleting = new Set<string>()
    return {
      lostByRefusedDelete(item, at) {
        deleting.add(item.uid)
        return contract.lostByRefusedDelete(item, at)
      },
      mintUid(parent, at) {
        if (at.kind === 'identities' && deleting.has(parent.uid)) throw new Refusal('missing', 'groups', 'is going')
        return contract.mintUid(parent, at)
      },
    }
  }),
]
