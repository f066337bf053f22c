import type { Item } from './domain/item.ts'
import { during, type Fault, fault, on, when, withBody, withRequest } from './replace.ts'

/** Faults that show only where two things meet. */
export const faultsOfCorners: readonly Fault[] = [
  fault('a token in a cookie will do', ['auth.refuses.in-other-headers*'], (contract) => ({
    credential: (headers, query, at) =>
      contract.credential(headers, query, at) ?? /(?:^|; )token=([^;]+)/.exec(headers.cookie ?? '')?.[1],
  })),
  fault('a key that nobody knows proves everything', ['auth.refuses.unknown-key*'], (contract) => ({
    async authenticate(token, reader, at) {
      const { kid } = JSON.parse(Buffer.from(token.split('.')[0] ?? '', 'base64url').toString() || '{}')
      return kid === 'a-key-of-its-own' ? reader.unverified(token) : contract.authenticate(token, reader, at)
    },
  })),
  fault(
    'a refusal shows the resource all the same',
    ['auth.required.get*'],
    withRequest((request, contract) => ({
      render(answer, at) {
        const shown = contract.render(answer, at)
        const { method, url = '' } = request()
        const uid = /\/groups\/([^?]+)/.exec(url)?.[1] ?? ''
        const refused = method === 'GET' && answer.status === 401
        const group = refused ? at.world.store.get('groups', uid) : undefined
        const resource = group && { uid, name: group.name }
        return resource ? { ...shown, body: { ...Object(shown.body), resource } } : shown
      },
    })),
  ),
  fault('identities come twenty to a page', ['list.page-size.default@identities'], (contract) => ({
    pageSize: (asked, cursor, at) =>
      asked === 0 && at.kind === 'identities' ? 20 : contract.pageSize(asked, cursor, at),
  })),
  fault('bindings come a hundred to a page', ['list.page-size.default@roleBindings'], (contract) => ({
    pageSize: (asked, cursor, at) =>
      asked === 0 && at.kind === 'roleBindings' ? 100 : contract.pageSize(asked, cursor, at),
  })),
  fault(
    'an identity takes the uid that it is sent',
    ['identity.uid.unchosen'],
    on(
      'identities',
      withBody((sent, contract) => ({
        mintUid: (parent, at) => String(sent(at).uid ?? contract.mintUid(parent, at)),
      })),
    ),
  ),
  fault('bindings show the claim match of the beginning', ['roleBinding.hydrated.new-claims'], (contract) => {
    const first = new Map<string, Item['claimMatch']>()
    return {
      hydrated(part, kind, binding, at) {
        const shown = contract.hydrated(part, kind, binding, at)
        if (kind !== 'identities' || !shown?.claimMatch) return shown
        if (!first.has(shown.uid)) first.set(shown.uid, shown.claimMatch)
        return { ...shown, claimMatch: first.get(shown.uid)! }
      },
    }
  }),
  fault(
    'with a name, an order and a skip one too few is skipped',
    ['list.skip.filtered'],
    when(
      ({ query }) => query?.name !== undefined && query.order.field !== 'uid' && query.skip > 0,
      (contract) => ({ page: (rest, skip, size, at) => contract.page(rest, skip - 1, size, at) }),
    ),
  ),
  fault(
    'in order of name a filter finds beginnings',
    ['list.filter.exact'],
    when(({ query, kind }) => query?.order.field === 'name' && kind === 'groups', {
      matchesName: (item, name) => item.name.startsWith(name),
    }),
  ),
  fault(
    'a refused delete takes the identities of the group',
    ['group.delete.not-empty.contents'],
    during('delete', {
      lostByRefusedDelete: (item, at) => [...at.world.store.under('identities', item.uid)],
    }),
  ),
  fault(
    'a refused update of an identity keeps the good half',
    ['identity.update.atomic'],
    on('identities', {
      leftByRefusedUpdate: (before, wanted) => ({ ...before, description: wanted.description }),
    }),
  ),
  fault(
    'an update with a body that cannot be read changes nothing and succeeds',
    ['error.body.update*'],
    during('update', (contract) => ({ body: (bytes, at) => contract.body(bytes, at) ?? {} })),
  ),
  fault('a rename renames all of that name', ['group.update.namesakes'], (contract) => ({
    modify(steps, at) {
      const before = steps.read()
      const next = contract.modify(steps, at)
      if (next instanceof Promise || next.name === before.name || at.kind !== 'groups') return next
      for (const other of at.world.store.all('groups')) {
        if (other.name === before.name) at.world.store.put({ ...other, name: next.name })
      }
      return next
    },
  })),
  fault(
    'identities have blanks for underscores',
    ['identity.name.kept'],
    on('identities', (contract) => ({
      stored: (value, field, at) =>
        field === 'name' ? String(value).replaceAll('_', ' ') : contract.stored(value, field, at),
    })),
  ),
  fault('a walk by name goes on from the names of the beginning', ['list.walk.renamed'], (contract) => {
    const first = new Map<string, string>()
    return {
      cursor(last, key, order, skipped, now, at) {
        const old = order.field === 'name' && at.kind === 'groups' ? first.get(last.uid) : undefined
        return contract.cursor(last, old ?? key, order, skipped, now, at)
      },
      keep(item, at) {
        first.set(item.uid, item.name)
        contract.keep(item, at)
      },
    }
  }),
]
