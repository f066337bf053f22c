import type { Item } from './domain/item.ts'
import { Refusal } from './domain/refusal.ts'
import { during, type Fault, fault, on, type Replacement, underMask, withBody } from './replace.ts'

/** Finds groups the usual way, or else by what they are alike to. */
const looksFor = (
  operation: 'get' | 'update' | 'create' | 'delete',
  alike: (item: Item, uid: string) => boolean,
): Replacement =>
  on(
    'groups',
    during(operation, (contract) => ({
      found: (uid, kind, at) =>
        contract.found(uid, kind, at) ?? [...at.world.store.all(kind)].find((item) => alike(item, uid)),
    })),
  )

const soon = (milliseconds: number) => new Promise((resume) => setTimeout(resume, milliseconds))

/** What goes wrong when resources are changed and deleted (section 4). */
export const faultsOfChanges: readonly Fault[] = [
  // Which one is meant
  fault(
    'get finds a group by the beginning of its uid',
    ['group.get.missing'],
    looksFor('get', (item, uid) => item.uid.startsWith(uid)),
  ),
  fault(
    'an update finds a group by the beginning of its uid',
    ['group.update.missing'],
    looksFor('update', (item, uid) => item.uid.startsWith(uid)),
  ),
  fault(
    'get looks at the first sixteen digits of the last segment only',
    ['group.get.missing'],
    looksFor('get', (item, uid) => item.uid.length === uid.length - 1 && uid.startsWith(item.uid)),
  ),
  fault(
    'a create below a group that is not there goes to the nearest one above',
    ['group.create.missing', 'group.delete.gone-from-get'],
    on(
      'groups',
      during('create', (contract) => ({
        found(uid, kind, at) {
          for (let path = uid; path !== ''; path = path.slice(0, Math.max(0, path.lastIndexOf('/')))) {
            const item = contract.found(path, kind, at)
            if (item) return item
          }
          return undefined
        },
      })),
    ),
  ),
  fault(
    'an update follows the uid in the body',
    ['group.update.path-wins'],
    on(
      'groups',
      during(
        'update',
        withBody((sent, contract) => ({
          found: (uid, kind, at) =>
            contract.found(String(sent(at).uid ?? uid), kind, at) ?? contract.found(uid, kind, at),
        })),
      ),
    ),
  ),

  // Which fields change
  fault(
    'a rename forgets the description',
    ['group.update.keeps-omitted', 'group.update.any-text', 'group.update.concurrent'],
    on(
      'groups',
      during('update', (contract) => ({
        changed: (sent, mask, settable, at) =>
          mask || sent.includes('description') || !sent.includes('name')
            ? contract.changed(sent, mask, settable, at)
            : settable,
      })),
    ),
  ),
  fault(
    'an update of nothing clears the description',
    ['group.update.nothing', 'group.update.any-text'],
    on('groups', {
      changed: (sent, mask, settable) =>
        mask
          ? settable.filter((field) => mask.includes(field))
          : sent.length === 0
            ? ['description']
            : settable.filter((field) => sent.includes(field)),
    }),
  ),
  fault(
    'the mask is ignored',
    {
      turnsRed: ['group.update.mask.name', 'group.update.mask.description'],
      spreadsTo: ['group.update.mask.*'],
    },
    () => ({
      mask: () => undefined,
    }),
  ),
  fault('a mask with an unknown field is no mask', ['group.update.mask.unknown'], (contract) => ({
    mask(raw, at) {
      const fields = contract.mask(raw, at)
      const known = ['name', 'description', 'claimMatch', 'uid', 'createTime', '*']
      return fields?.every((field) => known.includes(field)) ? fields : undefined
    },
  })),
  fault(
    'an update looks at names that its mask leaves out',
    ['group.update.mask.ignores-invalid'],
    on(
      'groups',
      withBody((sent, contract) => ({
        changed(fields, mask, settable, at) {
          const { name } = sent(at)
          const problem = name == null ? undefined : contract.nameProblem(name, at)
          if (problem !== undefined) throw new Refusal('invalid', 'name', problem)
          return contract.changed(fields, mask, settable, at)
        },
      })),
    ),
  ),
  fault(
    'an empty description cannot be set',
    ['group.update.mask.clears', 'group.update.clears-unmasked'],
    on(
      'groups',
      withBody((sent, contract) => ({
        changed: (fields, mask, settable, at) =>
          contract
            .changed(fields, mask, settable, at)
            .filter((field) => field !== 'description' || sent(at).description !== ''),
      })),
    ),
  ),
  fault(
    'an update does not look at the name',
    {
      turnsRed: ['group.update.name.refused'],
      spreadsTo: ['group.update.name.refused', 'group.update.atomic*', 'error.name.update'],
    },
    on('groups', during('update', { nameProblem: () => undefined })),
  ),
  fault(
    'an update under a mask does not look at the name',
    ['group.update.name.refused', 'group.update.atomic'],
    on('groups', underMask({ nameProblem: () => undefined })),
  ),
  fault(
    'createTime may be updated',
    ['group.times.unchosen', 'group.update.immutable'],
    on(
      'groups',
      withBody((sent) => ({
        async modify({ read, change, write }, at) {
          const next = change(read())
          const wished = Date.parse(String(sent(at).createTime))
          const kept = Number.isNaN(wished) ? next : { ...next, createTime: wished }
          write(kept)
          return kept
        },
      })),
    ),
  ),
  fault(
    'an update reaches the groups below',
    ['group.update.neighbours'],
    on('groups', {
      modify({ read, change, write }, at) {
        const next = change(read())
        write(next)
        for (const child of [...at.world.store.under('groups', next.uid)]) {
          at.world.store.put({ ...child, description: next.description })
        }
        return next
      },
    }),
  ),

  // What an update answers
  fault(
    'an update under a mask answers the state before',
    ['group.update.returns-unmasked'],
    on(
      'groups',
      underMask({
        modify({ read, change, write }) {
          const old = read()
          write(change(old))
          return old
        },
      }),
    ),
  ),
  fault(
    'an update answers what was sent, whatever its mask says',
    ['group.update.returns-unmasked'],
    on(
      'groups',
      withBody((sent) => ({
        modify({ read, change, write }, at) {
          const next = change(read())
          write(next)
          return { ...next, ...(sent(at) as Partial<Item>), uid: next.uid }
        },
      })),
    ),
  ),
  fault(
    'an update answers the updateTime before',
    ['group.update.returns-result', 'group.update.returns-unmasked'],
    on('groups', {
      modify({ read, change, write }) {
        const old = read()
        const next = change(old)
        write(next)
        return { ...next, updateTime: old.updateTime }
      },
    }),
  ),

  // When it changed
  fault('updateTime stays', ['group.update.time.advances'], () => ({
    touched: ({ createTime, updateTime }) => ({ createTime, updateTime }),
  })),
  fault(
    'updateTime follows names only',
    ['group.update.time.advances'],
    on(
      'groups',
      withBody((sent, contract) => ({
        touched: (old, differs, now, at) => contract.touched(old, differs && 'name' in sent(at), now, at),
      })),
    ),
  ),
  fault(
    'updateTime follows descriptions only',
    ['group.update.time.advances'],
    on(
      'groups',
      withBody((sent, contract) => ({
        touched: (old, differs, now, at) => contract.touched(old, differs && 'description' in sent(at), now, at),
      })),
    ),
  ),
  fault(
    'an update moves createTime',
    { turnsRed: ['group.update.immutable'], spreadsTo: ['group.update.*'] },
    on('groups', {
      touched: (old, differs, now) => ({ createTime: differs ? now : old.createTime, updateTime: now }),
    }),
  ),
  fault(
    'a rename moves createTime',
    ['group.update.time.advances'],
    on(
      'groups',
      withBody((sent) => ({
        touched: (old, differs, now, at) => ({
          createTime: differs && 'name' in sent(at) ? now : old.createTime,
          updateTime: now,
        }),
      })),
    ),
  ),

  // Refused, and yet
  fault(
    'a refused update keeps its good half',
    ['group.update.atomic'],
    on('groups', {
      leftByRefusedUpdate: (before, wanted) => ({ ...before, description: wanted.description }),
    }),
  ),
  fault(
    'a refused update moves updateTime',
    ['group.update.atomic.time'],
    on('groups', {
      leftByRefusedUpdate: (before, _wanted, at) => ({ ...before, updateTime: at.world.now() }),
    }),
  ),
  fault(
    'a refused create counts all the same',
    ['group.create.failed-leaves-nothing'],
    on('groups', (contract) => {
      const ghosts = new Map<string, number>()
      return {
        leftByRefusedCreate(draft) {
          ghosts.set(draft.parent, (ghosts.get(draft.parent) ?? 0) + 1)
          return []
        },
        totalCount: (counts, at) => {
          const more = ghosts.get(at.query?.childrenOf ?? '') ?? 0
          return contract.totalCount({ ...counts, matches: counts.matches + more }, at)
        },
      }
    }),
  ),
  fault(
    'a refused create leaves a group where it was described',
    ['group.name.refuses.missing'],
    on('groups', { leftByRefusedCreate: (draft) => (draft.description === 'nameless' ? [draft] : []) }),
  ),
  fault(
    'a refused create leaves a group without a name',
    ['group.name.refuses.empty'],
    on('groups', { leftByRefusedCreate: (draft) => [draft] }),
  ),
  fault(
    'a refused create leaves a group with a slash or a picture in its name',
    ['group.name.refuses.slash', 'group.name.refuses.emoji'],
    on('groups', { leftByRefusedCreate: (draft) => (/[/\u{1f600}]/u.test(draft.name) ? [draft] : []) }),
  ),
  fault(
    'a refused create leaves a group with an at in its name',
    ['group.name.refuses.at', 'group.create.failed-leaves-nothing'],
    on('groups', { leftByRefusedCreate: (draft) => (String(draft.name).includes('@') ? [draft] : []) }),
  ),
  fault('a number in place of a body makes a group of that name', ['error.body.number'], (contract) => ({
    body(bytes, at) {
      const text = new TextDecoder().decode(bytes)
      return /^\d+$/.test(text) ? { name: text } : contract.body(bytes, at)
    },
  })),

  // At the same moment
  fault('an update is lost when two arrive at once', ['group.update.concurrent'], () => ({
    async modify({ read, change, write }) {
      const next = change(read())
      await soon(5)
      write(next)
      return next
    },
  })),
  fault('of two updates at once the second gets the answer of the first', ['group.update.concurrent'], () => {
    const running = new Map<string, Promise<Item>>()
    return {
      modify({ read, change, write }) {
        const { uid } = read()
        const mine =
          running.get(uid) ??
          soon(2).then(() => {
            const next = change(read())
            write(next)
            running.delete(uid)
            return next
          })
        running.set(uid, mine)
        return mine
      },
    }
  }),

  fault(
    'where twenty live in a group every seventh update is answered and forgotten',
    ['group.update.many'],
    on('groups', (contract) => {
      const updates = new Map<string, number>()
      return {
        modify({ read, change, write }, at) {
          const { parent } = read()
          const count = (updates.get(parent) ?? 0) + 1
          updates.set(parent, count)
          const crowded = [...at.world.store.under('groups', parent)].length >= 20
          return contract.modify({ read, change, write: crowded && count % 7 === 0 ? () => {} : write }, at)
        },
      }
    }),
  ),

  // Caches
  fault(
    'an update under a mask leaves the cache of Get as it was',
    { turnsRed: ['group.update.mask.name'], spreadsTo: ['group.update.mask.*'] },
    (contract) => {
      const cache = new Map<string, Item>()
      return on('groups', (contract) => ({
        ...underMask({
          modify({ read, change, write }) {
            const next = change(read())
            cache.set(next.uid, cache.get(next.uid) ?? read())
            write(next)
            return next
          },
        })(contract),
        ...during('get', {
          seen: (item: Item) => cache.get(item.uid) ?? item,
        })(contract),
      }))(contract)
    },
  ),
  fault(
    'what Get has shown it shows for ever',
    { turnsRed: ['group.update.mask.name'], spreadsTo: ['group.update.*'] },
    (contract) => {
      const cache = new Map<string, Item>()
      return on(
        'groups',
        during('get', {
          seen(item: Item) {
            if (!cache.has(item.uid)) cache.set(item.uid, item)
            return cache.get(item.uid)
          },
        }),
      )(contract)
    },
  ),
  fault('a group that Get has shown outlives its delete', ['group.delete.gone-from-get'], (contract) => {
    const shown = new Map<string, Item>()
    return on(
      'groups',
      during('get', (contract) => ({
        found(uid, kind, at) {
          const item = contract.found(uid, kind, at) ?? shown.get(uid)
          if (item) shown.set(uid, item)
          return item
        },
      })),
    )(contract)
  }),

  // Deletes
  fault(
    'a deleted group is still found',
    ['group.delete.gone-*'],
    on('groups', {
      forget: ({ unlist }) => unlist(),
    }),
  ),
  fault(
    'a deleted group is still listed',
    {
      turnsRed: ['group.delete.gone-from-lists'],
      spreadsTo: ['group.delete.gone-from-lists', 'group.delete.*', 'list.total.follows'],
    },
    on('groups', {
      forget: ({ drop }) => drop(),
    }),
  ),
  fault(
    'a deleted identity is still found',
    ['identity.delete.gone', 'roleBinding.create.deleted-identity', 'sts.refuses.deleted-identity'],
    on('identities', {
      forget: ({ unlist }) => unlist(),
    }),
  ),
  fault(
    'a deleted binding is still listed',
    ['roleBinding.delete.gone'],
    on('roleBindings', {
      forget: ({ drop }) => drop(),
    }),
  ),
  fault(
    'deleted groups are counted',
    ['group.delete.gone-from-lists'],
    on('groups', (contract) => {
      const gone = new Map<string, number>()
      return {
        forget({ drop, unlist }, { parent }) {
          drop()
          unlist()
          gone.set(parent, (gone.get(parent) ?? 0) + 1)
        },
        totalCount(counts, at) {
          const more = at.query?.name === undefined ? (gone.get(at.query?.childrenOf ?? '') ?? 0) : 0
          return contract.totalCount({ ...counts, matches: counts.matches + more }, at)
        },
      }
    }),
  ),
  fault(
    'an update brings a deleted group back',
    ['group.delete.gone-from-get'],
    on('groups', (contract) => {
      const dead = new Map<string, Item>()
      return {
        forget({ drop, unlist }, item) {
          drop()
          unlist()
          dead.set(item.uid, item)
        },
        found: (uid, kind, at) =>
          contract.found(uid, kind, at) ?? (at.operation === 'update' ? dead.get(uid) : undefined),
      }
    }),
  ),
  fault(
    'a group that ever held another cannot be deleted',
    ['group.delete.emptied'],
    on('groups', (contract) => {
      const parents = new Set<string>()
      return {
        keep(item, at) {
          contract.keep(item, at)
          parents.add(item.parent)
        },
        blocksDelete: (item, living) => living.length > 0 || parents.has(item.uid),
      }
    }),
  ),
  fault(
    'a group with children is deleted',
    { turnsRed: ['group.delete.not-empty.contents'], spreadsTo: ['group.delete.not-empty.*'] },
    () => ({
      blocksDelete: () => false,
    }),
  ),
  fault('a group with identities is deleted', ['group.delete.holds-identity'], () => ({
    blocksDelete: (_item, living) => living.some((kind) => kind !== 'identities'),
  })),
  fault('a group with bindings is deleted', ['group.delete.holds-role-binding'], () => ({
    blocksDelete: (_item, living) => living.some((kind) => kind !== 'roleBindings'),
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
    'a delete takes what is below the siblings',
    ['group.delete.neighbours'],
    on('groups', {
      alsoRemoved: (item, at) =>
        [...at.world.store.under('groups', item.parent)].flatMap(({ uid }) => [...at.world.store.under('groups', uid)]),
    }),
  ),
  fault(
    'where ten live in a group every fifth delete leaves the list as it was',
    ['group.delete.many'],
    on('groups', (contract) => {
      let deletes = 0
      return {
        forget({ drop, unlist }, item, at) {
          const crowded = [...at.world.store.under('groups', item.parent)].length >= 10
          const forgotten = crowded && ++deletes % 5 === 0
          contract.forget({ drop, unlist: forgotten ? () => {} : unlist }, item, at)
        },
      }
    }),
  ),
  fault(
    'a delete answers the group',
    ['group.delete.empty-body'],
    on('groups', {
      deleted: ({ uid, name }) => ({ uid, name }),
    }),
  ),
  fault(
    'a delete of an identity answers a message',
    ['identity.delete.answers'],
    on('identities', {
      deleted: () => ({ message: 'deleted' }),
    }),
  ),
  fault(
    'the description of an identity cannot be emptied',
    ['update.mask.clears@identities'],
    on('identities', (contract) => ({
      modify({ read, change, write }, at) {
        const kept = (next: Item) => (next.description === '' ? { ...next, description: read().description } : next)
        return contract.modify({ read, change: (old) => kept(change(old)), write }, at)
      },
    })),
  ),
  fault(
    'an update of an identity is lost when two arrive at once',
    ['update.concurrent@identities'],
    on('identities', {
      async modify({ read, change, write }) {
        const next = change(read())
        await soon(5)
        write(next)
        return next
      },
    }),
  ),
  fault(
    'the next update of an identity brings its first claim match back',
    ['identity.claim-match.stays'],
    on('identities', (contract) => {
      const first = new Map<string, Item['claimMatch']>()
      return {
        modify({ read, change, write }, at) {
          const before = read()
          if (!first.has(before.uid)) first.set(before.uid, before.claimMatch)
          const old = first.get(before.uid)
          const next = (item: Item) => {
            const changed = change(item)
            return changed.claimMatch === item.claimMatch && old ? { ...changed, claimMatch: old } : changed
          }
          return contract.modify({ read, change: next, write }, at)
        },
      }
    }),
  ),
  fault(
    'updateTime stays under a mask',
    ['group.update.time.advances'],
    on('groups', underMask({ touched: ({ createTime, updateTime }) => ({ createTime, updateTime }) })),
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
    'a delete of a binding takes the other bindings of its identity',
    ['roleBinding.delete.gone'],
    on('roleBindings', {
      alsoRemoved: (item, at) =>
        at.world.store.bindingsOf(item.identityUid ?? '').filter(({ uid }) => uid !== item.uid),
    }),
  ),
  fault(
    'an update forgets when an identity was last seen',
    ['identity.last-seen.stays'],
    on('identities', (contract) => ({
      modify: ({ read, change, write }, at) =>
        contract.modify({ read, change: (old) => ({ ...change(old), lastSeenTime: 0 }), write }, at),
    })),
  ),
]
