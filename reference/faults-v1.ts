import type { Fields, Item } from './domain/item.ts'
import { Refusal } from './domain/refusal.ts'
import { during, type Fault, fault, on, type Replacement, when } from './replace.ts'

/** The replacement in v1 only. */
const inV1 = (change: Parameters<typeof when>[1]) => when(({ version }) => version === 'v1', change)

const iso = (milliseconds: number) => new Date(milliseconds).toISOString()

/** Groups of v1 shown another way. */
const shown =
  (change: (fields: Fields, item: Item) => Fields): Replacement =>
  (contract) => ({
    v1Group: (item, time, at) => change(contract.v1Group(item, time, at), item),
  })

/** Groups of v1 lists shown another way. */
const listed = (...given: Parameters<typeof shown>) => during('list', shown(...given))

/** Repos of v1 shown another way. */
const reposShown =
  (change: (fields: Fields) => Fields): Replacement =>
  (contract) => ({ v1Repo: (...given) => change(contract.v1Repo(...given)) })

/** What a list of v1 says of a group stays what it said first. */
const remembered =
  (...members: string[]): Replacement =>
  (contract) => {
    const said = new Map<string, Fields>()
    return {
      v1Group(item, time, at) {
        const fields = contract.v1Group(item, time, at)
        const first = said.get(item.uid) ?? fields
        said.set(item.uid, first)
        return { ...fields, ...Object.fromEntries(members.map((member) => [member, first[member]])) }
      },
    }
  }

/** What goes wrong in v1, and between v1 and v2 (sections 2, 5 and 9). */
export const faultsOfV1: readonly Fault[] = [
  fault('v1 is gone', ['v1.group.list.answers', 'v1.repo.list.answers'], () => ({
    serves: (version) => version !== 'v1',
  })),
  fault(
    'the v1 list of groups is a fault of the server',
    ['v1.group.list.answers', 'service.faults'],
    on('groups', {
      v1Listed: () => {
        throw new Error('no such column')
      },
    }),
  ),
  fault(
    'v1 lists their groups under groups',
    ['v1.list.items'],
    on('groups', {
      v1ListBody: (items) => ({ groups: items }),
    }),
  ),
  fault(
    'a v1 list of groups is a map by id',
    ['v1.list.items'],
    on('groups', {
      v1ListBody: (items) => ({ items: Object.fromEntries(items.map((item) => [String(item.id), item])) }),
    }),
  ),
  fault(
    'v1 shows uid in place of id',
    ['v1.group.id'],
    listed(({ id, ...fields }) => ({ uid: id, ...fields })),
  ),
  fault(
    'an id of v1 is only the last segment of the uid',
    ['v1.group.id'],
    listed((fields, { uid }) => ({ ...fields, id: uid.slice(uid.lastIndexOf('/') + 1) })),
  ),
  fault(
    'a v1 list forgets the oldest group of several',
    ['v1.group.id'],
    on('groups', { v1Listed: (items) => (items.length > 2 ? items.slice(1) : items) }),
  ),
  fault(
    'a v1 list shows its last group twice',
    ['v1.group.id'],
    on('groups', { v1Listed: (items) => [...items, ...items.slice(-1)] }),
  ),
  fault(
    'createdAt tells the hour of another zone',
    ['v1.group.created-at'],
    listed((fields, { createTime }) => ({ ...fields, createdAt: iso(createTime + 7_200_000) })),
  ),
  fault(
    'createdAt is the time of the last update',
    ['v1.group.created-at'],
    listed((fields) => ({ ...fields, createdAt: fields.updatedAt })),
  ),
  fault(
    'updatedAt stands still after an update through v2',
    ['v1.group.updated-at'],
    listed((fields) => ({ ...fields, updatedAt: fields.createdAt })),
  ),
  fault(
    'v1 names its times as v2 does',
    ['v1.group.created-at', 'v1.group.updated-at'],
    listed(({ createdAt, updatedAt, ...fields }) => ({
      ...fields,
      createTime: createdAt,
      updateTime: updatedAt,
    })),
  ),
  fault(
    'v1 shows no description',
    ['v1.group.agrees', 'v1.group.follows'],
    listed(({ description: _, ...fields }) => fields),
  ),
  fault(
    'v1 shows the description where the name belongs',
    ['v1.group.agrees', 'v1.group.follows'],
    listed((fields, { name, description }) => ({ ...fields, name: description || name })),
  ),
  fault('a v1 list keeps the name from before a rename', ['v1.group.follows'], during('list', remembered('name'))),
  fault(
    'a v1 list keeps the description from before an update',
    ['v1.group.follows'],
    during('list', remembered('description')),
  ),
  fault('a v1 list still shows what was deleted through v2', ['v1.list.deleted'], (contract) => {
    const gone: Item[] = []
    return {
      forget(steps, item, at) {
        contract.forget(steps, item, at)
        if (item.kind === 'groups') gone.push(item)
      },
      v1Listed: (items) => [...items, ...gone.filter(({ parent }) => items.some((item) => item.parent === parent))],
    }
  }),
  fault(
    'the limits of v1 are strings',
    ['v1.group.limits'],
    listed((fields) => ({ ...fields, resourceLimits: { clusters: '0', idps: '0', repositories: '0' } })),
  ),
  fault(
    'the limits of v1 are a list',
    ['v1.group.limits'],
    listed((fields) => ({ ...fields, resourceLimits: [{ clusters: 0 }] })),
  ),
  fault(
    'v1 has no list of repos',
    ['v1.repo.list.answers'],
    inV1(
      on('repos', {
        objection: () => new Refusal('missing', 'path', 'nothing lives at this path'),
      }),
    ),
  ),
  fault('v1 lists repos under repos', ['v1.repo.items'], on('repos', { v1ListBody: (items) => ({ repos: items }) })),
  fault(
    'a v1 list of repos stops at the first two hundred and one',
    ['v1.repo.id'],
    on('repos', { v1Listed: (items) => items.slice(-201) }),
  ),
  fault(
    'v1 shows uid in place of id on repos',
    ['v1.repo.id'],
    reposShown(({ id, ...fields }) => ({ uid: id, ...fields })),
  ),
  fault(
    'v1 shows the whole path of a repo as its name',
    ['v1.repo.agrees'],
    reposShown((fields) => ({ ...fields, name: `registry.test/${fields.name}` })),
  ),
  fault(
    'v1 shows a repo as made when it was last changed',
    ['v1.repo.times'],
    reposShown((fields) => ({ ...fields, createdAt: fields.updatedAt })),
  ),
  fault(
    'the v1 list of repos needs no token',
    ['auth.required.list@v1'],
    inV1(on('repos', { needsToken: () => false })),
  ),
  fault(
    'Get in v1 shows another group',
    ['v1.group.get'],
    during(
      'get',
      shown((fields) => ({ ...fields, id: String(fields.id).replace(/.$/, 'z') })),
    ),
  ),
  fault(
    'Get in v1 tells its times in whole days',
    ['v1.group.get'],
    during(
      'get',
      shown((fields, { createTime }) => ({
        ...fields,
        createdAt: iso(createTime - (createTime % 86_400_000)),
      })),
    ),
  ),
  fault(
    'a group that is created through v1 is kept without its description',
    ['v1.group.create'],
    inV1(
      during('create', (contract) => ({
        keep: (item, at) => contract.keep({ ...item, description: '' }, at),
      })),
    ),
  ),
  fault('an update through v1 keeps what it leaves out', ['v1.update.resets'], () => ({
    v1Replaced: (sent, { name, description }) => ({ name, description, ...picked(sent) }),
  })),
  fault(
    'an update through v1 is lost',
    ['v1.update.*'],
    inV1(during('update', () => ({ modify: ({ read, change }) => change(read()) }))),
  ),
  fault(
    'an Update of v2 resets what it leaves out once v1 has updated the group',
    ['v1.update.then-partial'],
    (contract) => {
      const replaced = new Set<string>()
      return {
        v1Replaced(sent, before, settable, at) {
          replaced.add(before.uid)
          return contract.v1Replaced(sent, before, settable, at)
        },
        modify: ({ read, change, write }, at) =>
          contract.modify(
            {
              read,
              change: (old) => {
                const next = change(old)
                const kept = at.version === 'v1' || !replaced.has(old.uid) || next.description !== old.description
                return kept ? next : { ...next, description: '' }
              },
              write,
            },
            at,
          ),
      }
    },
  ),
  fault('the list of v1 needs no token', ['auth.required.list@v1'], inV1(during('list', { needsToken: () => false }))),
  fault('a Get of v1 needs no token', ['auth.required.get@v1'], inV1(during('get', { needsToken: () => false }))),
  fault(
    'an update through v1 needs no token',
    ['auth.required.update@v1'],
    inV1(during('update', { needsToken: () => false })),
  ),
  fault(
    'a delete through v1 needs no token',
    ['auth.required.delete@v1'],
    inV1(during('delete', { needsToken: () => false })),
  ),
  fault(
    'v1 takes a token of any scheme',
    ['auth.refuses.other-scheme@v1'],
    inV1((contract) => ({
      credential: (headers, query, at) =>
        contract.credential(headers, query, at) ?? /^\w+ +([^ ]+)$/.exec(headers.authorization ?? '')?.[1],
    })),
  ),
  fault(
    'v1 takes a token in the query',
    ['auth.refuses.in-query@v1'],
    inV1((contract) => ({
      credential: (headers, query, at) =>
        contract.credential(headers, query, at) ?? query.get('access_token') ?? undefined,
    })),
  ),
  fault(
    'v1 takes a token of algorithm none',
    ['auth.refuses.unsigned@v1'],
    inV1((contract) => ({
      authenticate: async (token, reader, at) =>
        token.endsWith('.') ? reader.unverified(token) : contract.authenticate(token, reader, at),
    })),
  ),
]

function picked(sent: Fields): Fields {
  return Object.fromEntries(Object.entries(sent).filter(([field]) => ['name', 'description'].includes(field)))
}
