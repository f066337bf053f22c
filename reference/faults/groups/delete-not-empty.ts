import type { At } from '../../domain/at.ts'
import { type Item, publishedKinds } from '../../domain/item.ts'
import { type Fault, fault } from '../../fault.ts'
import { during, inV1, on, when } from '../../replace.ts'
import { pause } from '../pause.ts'
import { aboutContents, detailsOf } from '../refusal-details.ts'
import { foundByModel } from '../run/histories.ts'

/** Faults in Delete of a group that is not empty (S7.6). */
export const groupDeleteNotEmptyFaults: readonly Fault[] = [
  fault('a group with identities is deleted', ['group.delete.holds-identity'], () => ({
    blocksDelete: (_item, living) => living.some((kind) => kind !== 'identities'),
  })),
  fault('a group with bindings is deleted', ['group.delete.holds-role-binding'], () => ({
    blocksDelete: (_item, living) => living.some((kind) => kind !== 'roleBindings'),
  })),
  fault('a group with children is refused as a bad argument', ['group.delete.not-empty.code'], (contract) => ({
    errorCode: (refusal, at) => (aboutContents(refusal) ? 3 : contract.errorCode(refusal, at)),
  })),
  fault(
    'a group with children is deleted',
    { turnsRed: ['group.delete.not-empty.contents'], spreadsTo: ['group.delete.not-empty.*'] },
    () => ({
      blocksDelete: () => false,
    }),
  ),
  fault(
    'a refused delete takes what else is in the group',
    foundByModel,
    during('delete', {
      lostByRefusedDelete: ({ uid }, { world }) => publishedKinds.flatMap((kind) => [...world.store.under(kind, uid)]),
    }),
  ),
  fault(
    'a refused delete takes the identities of the group',
    ['group.delete.not-empty.contents'],
    during('delete', {
      lostByRefusedDelete: (item, at) => [...at.world.store.under('identities', item.uid)],
    }),
  ),
  fault('the message of a group with children has no beginning', ['group.delete.not-empty.message'], (contract) => ({
    errorMessage: (refusal, at) => (aboutContents(refusal) ? refusal.description : contract.errorMessage(refusal, at)),
  })),
  fault('a group with children has the reason of its violation', ['group.delete.not-empty.reason'], (contract) => ({
    errorReason: (refusal, at) => (aboutContents(refusal) ? 'RESOURCE_NOT_EMPTY' : contract.errorReason(refusal, at)),
  })),
  fault(
    'a refused delete takes the children',
    ['group.delete.not-empty.refused'],
    on('groups', {
      lostByRefusedDelete: (item, at) => [...at.world.store.under('groups', item.uid)],
    }),
  ),
  fault(
    'a refused delete takes the grandchildren',
    ['group.delete.not-empty.refused'],
    on('groups', {
      lostByRefusedDelete: (item, at) =>
        [...at.world.store.under('groups', item.uid)].flatMap(({ uid }) => [...at.world.store.under('groups', uid)]),
    }),
  ),
  fault(
    'a group with three children or more is deleted',
    ['group.delete.not-empty.several'],
    on('groups', (contract) => ({
      blocksDelete: (item, living, at) =>
        [...at.world.store.under('groups', item.uid)].length < 3 && contract.blocksDelete(item, living, at),
    })),
  ),
  fault(
    'a group with children has the code of HTTP as text',
    ['group.delete.not-empty.shape', 'group.delete.not-empty.code'],
    (contract) => ({
      errorCode: (refusal, at) =>
        aboutContents(refusal) ? ('9' as unknown as number) : contract.errorCode(refusal, at),
    }),
  ),
  fault(
    'details have no type URL',
    ['group.delete.not-empty.shape', 'group.delete.not-empty.reason', 'group.delete.not-empty.violation'],
    detailsOf(aboutContents, (details) =>
      details.map((detail) => ({ ...detail, '@type': String(detail['@type']).split('.').at(-1) })),
    ),
  ),
  fault(
    'a group with children has a violation of another type',
    ['group.delete.not-empty.violation'],
    detailsOf(aboutContents, ([info, second], { description }) => [
      info!,
      { ...second, violations: [{ type: 'NOT_EMPTY', description }] },
    ]),
  ),
  fault(
    'violations are one and no list',
    ['group.delete.not-empty.violation', 'group.delete.not-empty.shape'],
    detailsOf(aboutContents, ([info, second], { description }) => [
      info!,
      { ...second, violations: { type: 'RESOURCE_NOT_EMPTY', description } },
    ]),
  ),
  fault('a group is deleted that gets a child at the same moment', foundByModel, (contract) => {
    const emptyAtFirst = new Set<string>()
    return {
      async transport(request, response, serve, at) {
        const [, uid = ''] = /v2beta1\/groups\/(.+?)(?:\?|$)/.exec(request.url ?? '') ?? []
        const looksEarly = request.method === 'DELETE' && at.world.store.isEmpty('groups', uid)
        if (looksEarly) {
          emptyAtFirst.add(uid)
          await pause(5)
        }
        await contract.transport(request, response, serve, at)
        if (looksEarly) emptyAtFirst.delete(uid)
      },
      blocksDelete: (item, living, at) => !emptyAtFirst.has(item.uid) && contract.blocksDelete(item, living, at),
    }
  }),
  fault(
    'a binding that went with its identity still fills its group',
    ['group.delete.emptied.identities'],
    (contract) => {
      const filled = new Set<string>()
      return {
        alsoRemoved(item, at) {
          const gone = [...contract.alsoRemoved(item, at)]
          for (const { kind, parent } of gone) if (kind === 'roleBindings' && parent) filled.add(parent)
          return gone
        },
        blocksDelete: (item, living, at) => filled.has(item.uid) || contract.blocksDelete(item, living, at),
      }
    },
  ),
  fault('the number of children is kept in seven bits', foundByModel, (contract) => {
    const children = new Map<string, number>()
    const count = ({ kind, parent }: Item, change: (known: number) => number) => {
      if (kind === 'groups') children.set(parent, change(children.get(parent) ?? 0))
    }
    return {
      keep(item, at) {
        contract.keep(item, at)
        count(item, (known) => Math.min(127, known + 1))
      },
      forget(steps, item, at) {
        contract.forget(steps, item, at)
        count(item, (known) => Math.max(0, known - 1))
      },
      blocksDelete(item, living, at) {
        const known = children.get(item.uid)
        const others = known === undefined ? living : living.filter((kind) => kind !== 'groups')
        return (known ?? 0) > 0 || contract.blocksDelete(item, others, at)
      },
    }
  }),
  fault('a group is empty when its first two hundred children are deleted', foundByModel, (contract) => {
    const deleted = new Map<string, Set<string>>()
    return {
      forget(steps, item, at) {
        contract.forget(steps, item, at)
        deleted.set(item.parent, (deleted.get(item.parent) ?? new Set()).add(item.uid))
      },
      blocksDelete(item, living, at) {
        const groups = [...at.world.store.under('groups', item.uid)].map(({ uid }) => uid)
        const first = [...groups, ...(deleted.get(item.uid) ?? [])].sort().slice(0, 200)
        const blocks = groups.length === 0 || first.some((uid) => groups.includes(uid))
        return contract.blocksDelete(item, blocks ? living : living.filter((kind) => kind !== 'groups'), at)
      },
    }
  }),
  fault('v1 deletes a group with groups in it', ['model.*'], inV1({ blocksDelete: () => false })),
  fault(
    'a group that holds nothing but identities and role bindings is refused as a bad argument',
    ['group.delete.holds-identity', 'group.delete.holds-role-binding'],
    (contract) => {
      const childless = new WeakSet<At>()
      return {
        blocksDelete(item, living, at) {
          const blocks = contract.blocksDelete(item, living, at)
          if (blocks && living.every((kind) => kind === 'identities' || kind === 'roleBindings')) childless.add(at)
          return blocks
        },
        ...when((at) => childless.has(at), {
          errorCode: () => 3,
          errorReason: () => 'INVALID_ARGUMENT',
          ...detailsOf(aboutContents, (details) => details.slice(0, 1))(contract),
        })(contract),
      }
    },
  ),
]
