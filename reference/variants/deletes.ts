import { type Fields, type Item, isPublished, type Kind, publishedKinds } from '../domain/item.ts'
import { type Variant, variant } from '../fault.ts'
import type { Replacement } from '../replace.ts'

/** Get still shows what was deleted, marked as such. */
const shownAsDeleted =
  (kinds: readonly Kind[], mark: (time: string) => Fields): Replacement =>
  (contract) => {
    const dead = new Map<string, { item: Item; time: number }>()
    return {
      forget(steps, item, at) {
        contract.forget(steps, item, at)
        if (kinds.includes(item.kind)) dead.set(`${item.kind} ${item.uid}`, { item, time: at.world.now() })
      },
      found(uid, kind, at) {
        const isGet = at.operation === 'get' && at.kind === kind && at.version !== 'v1'
        return contract.found(uid, kind, at) ?? (isGet ? dead.get(`${kind} ${uid}`)?.item : undefined)
      },
      render(answer, at) {
        const { uid } = (answer.body ?? {}) as Fields
        const gone = at.operation === 'get' ? dead.get(`${at.kind} ${String(uid)}`) : undefined
        const body = gone ? { ...(answer.body as Fields), ...mark(contract.timestamp(gone.time, at)) } : answer.body
        return contract.render({ ...answer, body }, at)
      },
    }
  }

const unshown = ['group.delete.unshown', 'identity.delete.unshown', 'roleBinding.delete.unshown']

/** Lawful ways to answer a delete. */
export const deleteVariants: readonly Variant[] = [
  variant('a delete answers with no bytes', () => ({ deleted: () => undefined })),
  variant('a delete answers 204', () => ({
    deleted: () => undefined,
    successStatus: (at) => (at.operation === 'delete' ? 204 : 200),
  })),
  variant('providers, associations and invites go with their group', (contract) => ({
    blocksDelete: (item, living, at) =>
      contract.blocksDelete(
        item,
        living.filter((kind) => !isPublished(kind)),
        at,
      ),
    alsoRemoved: (item, at) => [
      ...contract.alsoRemoved(item, at),
      ...(item.kind === 'groups' ? publishedKinds.flatMap((kind) => [...at.world.store.under(kind, item.uid)]) : []),
    ],
  })),
  variant('a second delete succeeds like the first', (contract) => {
    const dead = new Map<string, Item>()
    return {
      forget(steps, item, at) {
        contract.forget(steps, item, at)
        dead.set(`${item.kind} ${item.uid}`, item)
      },
      found: (uid, kind, at) =>
        contract.found(uid, kind, at) ?? (at.operation === 'delete' ? dead.get(`${kind} ${uid}`) : undefined),
    }
  }),
  variant(
    'what a call is about is looked up in a cache of two seconds',
    (contract) => {
      const dead = new Map<string, { item: Item; until: number }>()
      return {
        forget(steps, item, at) {
          contract.forget(steps, item, at)
          dead.set(`${item.kind} ${item.uid}`, { item, until: performance.now() + 2_000 })
        },
        found(uid, kind, at) {
          const cached = at.operation === 'create' && at.version !== 'v1' ? dead.get(`${kind} ${uid}`) : undefined
          return contract.found(uid, kind, at) ?? (cached && cached.until > performance.now() ? cached.item : undefined)
        },
      }
    },
    ['service.lag.get', 'binding.lag.embedded'],
  ),
  variant(
    'a deleted group is shown with the time of its delete',
    shownAsDeleted(['groups'], (deleteTime) => ({ deleteTime })),
    ['group.delete.unshown'],
  ),
  variant(
    'deleted identities and bindings are shown as deleted',
    shownAsDeleted(['identities', 'roleBindings'], () => ({ deleted: true })),
    ['identity.delete.unshown', 'roleBinding.delete.unshown'],
  ),
  variant(
    'what is deleted says so by a flag and a status',
    shownAsDeleted(['groups', 'identities', 'roleBindings'], () => ({ isDeleted: true, status: 'deleted' })),
    unshown,
  ),
  variant(
    'what is deleted has the time of its deletion, and is terminated',
    shownAsDeleted(['groups', 'identities', 'roleBindings'], (deletionTimestamp) => ({
      deletionTimestamp,
      phase: 'TERMINATED',
    })),
    unshown,
  ),
  variant(
    'whatever is deleted is shown in the state of a deleted thing',
    shownAsDeleted(['groups', 'identities', 'roleBindings', ...publishedKinds], () => ({ state: 'DELETED' })),
    unshown,
  ),
  ...(
    [
      [
        'what is deleted has a deletionTimestamp in its metadata',
        (time) => ({ metadata: { deletionTimestamp: time } }),
      ],
      ['what is deleted says when by timeDeleted', (time) => ({ timeDeleted: time })],
      ['what is deleted says so by _deleted, as replicated documents do', () => ({ _deleted: true })],
      [
        'what is deleted says so in the lifecycle of its metadata',
        () => ({ metadata: { lifecycle: { deleted: true } } }),
      ],
      ['what is deleted has a softDeleteTime', (time) => ({ softDeleteTime: time })],
    ] satisfies [string, (time: string) => Fields][]
  ).map(([name, mark]) => variant(name, shownAsDeleted(['groups', 'identities', 'roleBindings'], mark), unshown)),
  variant('to delete what is not there succeeds', (contract) => ({
    render(answer, at) {
      const shown = contract.render(answer, at)
      return at.operation === 'delete' && shown.status === 404 ? { status: 200, headers: {}, body: {} } : shown
    },
  })),
]
