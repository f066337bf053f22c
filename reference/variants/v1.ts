import type { At } from '../domain/at.ts'
import type { Fields, Item } from '../domain/item.ts'
import { Refusal } from '../domain/refusal.ts'
import { type Variant, variant } from '../fault.ts'
import { inV1, type Replacement } from '../replace.ts'

/** Groups that v1 shows differently. */
const shown =
  (change: (fields: Fields) => Fields): Replacement =>
  (contract) => ({ v1Group: (...given) => change(contract.v1Group(...given)) })

/** Operations that v1 does not have, which it answers with a status and a code. */
const withoutOperations = (status: number, code: number, ...operations: string[]): Replacement =>
  inV1((contract) => ({
    objection: (uid, at) =>
      operations.includes(at.operation)
        ? new Refusal('unimplemented', 'method', 'v1 has no such method')
        : contract.objection(uid, at),
    errorStatus: (refusal, at) => (refusal.problem === 'unimplemented' ? status : contract.errorStatus(refusal, at)),
    errorCode: (refusal, at) => (refusal.problem === 'unimplemented' ? code : contract.errorCode(refusal, at)),
  }))

/** Lists of v1 that refuse some scope parameters. */
const refusing =
  (...scopes: ('childrenOf' | 'descendantsOf')[]): Replacement =>
  () => ({
    v1Scope(asked) {
      if (scopes.every((scope) => asked[scope] === undefined)) return asked
      throw new Refusal('invalid', 'query', 'v1 knows no such parameter')
    },
  })

/** Lists of v1 that ignore the scope and show at most some number of items. */
const unscoped =
  (most: number, beside: (items: readonly Fields[]) => Fields = () => ({})): Replacement =>
  () => ({
    v1Scope: () => ({}),
    v1Listed: (items) => items.slice(0, most),
    v1ListBody: (items) => ({ items, ...beside(items) }),
  })

const retimed = (change: (time: string) => string): Replacement =>
  shown(({ createdAt, updatedAt, ...fields }) => ({
    ...fields,
    createdAt: change(String(createdAt)),
    updatedAt: change(String(updatedAt)),
  }))

const inSmallLetters = (name: unknown) => (typeof name === 'string' ? name.toLowerCase() : name)

/** What lives in a group, at every depth, and what binds its identities elsewhere. */
function allIn({ uid }: Item, at: At): Item[] {
  const { store } = at.world
  const groups = [...store.under('groups', uid)]
  const others = (['identities', ...heldKinds] as const).flatMap((kind) => [...store.under(kind, uid)])
  const bindings = others.flatMap((one) => (one.kind === 'identities' ? store.bindingsOf(one.uid) : []))
  return [...new Set([...groups.flatMap((group) => [group, ...allIn(group, at)]), ...others, ...bindings])]
}

const heldKinds = ['roleBindings', 'identityProviders', 'accountAssociations', 'groupInvites'] as const

/** A v1 with every kind that v2 has. */
export const inV1HasAll: Replacement = (contract) => ({
  offeredInV1: (kind) => (contract.offeredInV1(kind).length > 0 ? contract.offeredInV1(kind) : ['list', 'get']),
})

/** Lawful v1 services: the contract shows little of them. */
export const v1Variants: readonly Variant[] = [
  variant('v1 has identities, role bindings and all other kinds', inV1HasAll),
  variant('v1 has all other kinds, with the members of v2 beside its own, and times in whole seconds', (contract) => ({
    ...inV1HasAll(contract),
    v1Other: (fields, item, at) => ({
      ...fields,
      ...contract.v1Other(fields, item, at),
      createdAt: String(fields.createTime).replace(/\.\d+/, ''),
    }),
  })),
  variant('v1 has all other kinds in lists alone, which show their name and id', (contract) => ({
    offeredInV1: (kind) => (contract.offeredInV1(kind).length > 0 ? contract.offeredInV1(kind) : ['list']),
    v1Other: ({ uid: id, name }) => ({ id, ...(name !== undefined && { name }) }),
  })),
  variant('v1 has all other kinds, in lists that hold them under the name of v2 as well', (contract) => ({
    ...inV1HasAll(contract),
    v1ListBody: (items, at) => ({ items, [at.kind]: items, totalCount: String(items.length) }),
  })),
  variant('v1 has lists and nothing else', withoutOperations(404, 5, 'get', 'create', 'update', 'delete')),
  variant('v1 has no update, which is answered 405', withoutOperations(405, 12, 'update')),
  variant('v1 has no update and no delete, which is answered 501', withoutOperations(501, 12, 'update', 'delete')),
  variant('v1 has no update, which is a fault of code 12', withoutOperations(500, 12, 'update')),
  variant('a create in v1 is forbidden', withoutOperations(403, 7, 'create')),
  variant('an update of v1 wants another form', withoutOperations(400, 3, 'update')),
  variant('a delete of v1 wants another form', withoutOperations(400, 3, 'delete')),
  variant(
    'a delete of v1 answers what it deleted',
    inV1((contract) => ({
      deleted: (item, at) => contract.v1Group(item, (time) => contract.timestamp(time, at), at),
    })),
  ),
  variant(
    'v1 gives names in small letters',
    inV1((contract) => ({
      nameProblem: (name, at) => contract.nameProblem(inSmallLetters(name), at),
      stored: (value, field, at) => contract.stored(field === 'name' ? inSmallLetters(value) : value, field, at),
    })),
    ['model.v1.update'],
  ),
  variant(
    'v1 keeps descriptions in plain letters',
    inV1((contract) => ({
      stored(value, field, at) {
        const kept = contract.stored(value, field, at)
        return field === 'description' && typeof kept === 'string' ? kept.replace(/[^\x20-\x7e]/gu, '?') : kept
      },
    })),
    ['model.v1.update'],
  ),
  variant(
    'v1 deletes a group with all that is in it',
    inV1((contract) => ({
      blocksDelete: (item, living, at) => item.kind !== 'groups' && contract.blocksDelete(item, living, at),
      alsoRemoved: (item, at) => (item.kind === 'groups' ? allIn(item, at) : contract.alsoRemoved(item, at)),
    })),
    ['model.v1.update', 'model.group.refusal.child'],
  ),
  variant('v1 lists everything that the caller may see', unscoped(Number.POSITIVE_INFINITY)),
  variant(
    'v1 lists are cut into pages of fifty',
    unscoped(50, (items) => (items.length === 50 ? { nextPageToken: 'more' } : {})),
  ),
  variant('v1 lists end at a hundred without a word', unscoped(100)),
  variant(
    'v1 lists are cut after seven, and say so in an object of their own',
    unscoped(7, () => ({
      pagination: { next: '/iam/v1/groups?from=7' },
    })),
  ),
  variant('v1 lists know no children_of', refusing('childrenOf')),
  variant('v1 lists know no scope', refusing('childrenOf', 'descendantsOf')),
  variant('v1 shows the members of v2 beside its own', (contract) => ({
    v1Group(...given) {
      const fields = contract.v1Group(...given)
      const { id: uid, createdAt: createTime, updatedAt: updateTime } = fields
      return { ...fields, uid, createTime, updateTime, verified: false, parent: null }
    },
    v1ListBody: (items) => ({ items, groups: items, totalCount: String(items.length), skipped: 0 }),
  })),
  variant(
    'v1 shows no limits',
    shown(({ resourceLimits: _, ...fields }) => fields),
  ),
  variant(
    'the limits of v1 are empty',
    shown((fields) => ({ ...fields, resourceLimits: {} })),
  ),
  variant(
    'v1 shows the limits that are set, and others',
    shown((fields) => ({
      ...fields,
      resourceLimits: { repositories: 10, seats: 'many' },
    })),
  ),
  variant(
    'v1 leaves an unset description out',
    shown(({ description, ...fields }) => (description === '' ? fields : { ...fields, description })),
  ),
  variant(
    'v1 shows whole seconds',
    retimed((time) => time.replace(/\.\d+/, '')),
  ),
  variant(
    'v1 shows microseconds in an offset of zero',
    retimed((time) => new Date(time).toISOString().replace('Z', '000+00:00')),
  ),
  variant(
    'v1 shows its times in another zone',
    retimed((time) => {
      const later = new Date(Date.parse(time) + 7_200_000).toISOString()
      return later.replace('Z', '+02:00')
    }),
  ),
  variant('no version is served but v2beta1 and v1', () => ({
    serves: (version) => version === 'v2beta1' || version === 'v1',
  })),
  variant('v1 lists end at two hundred without a word', unscoped(200)),
  variant('v1 lists end at sixty-four without a word', () => ({ v1Listed: (items) => items.slice(0, 64) })),
  variant(
    'v1 lists are cut after thirty, and say so by a flag',
    unscoped(30, (items) => ({ hasMore: items.length === 30 })),
  ),
  variant('an update of v1 changes nothing but the name', () => ({ v1Replaced: ({ name }) => ({ name }) }), [
    'v1.update.resets',
    'v1.update.shown',
    'model.v1.update',
  ]),
  variant(
    'an update of v1 empties every description',
    () => ({ v1Replaced: ({ name }) => ({ name, description: '' }) }),
    ['v1.update.shown', 'model.v1.update'],
  ),
  variant('v1 leaves out the limits that are not set', (contract) => ({
    v1Group: (item, ...given) => ({ ...contract.v1Group(item, ...given), resourceLimits: item.resourceLimits ?? {} }),
  })),
  variant('v1 lists are cut after twelve, with a link to the next page in a header', (contract) => ({
    v1ListBody: (items, at) => contract.v1ListBody(items.slice(0, 12), at),
    async transport(request, response, serve, at) {
      if (at.version === 'v1') response.setHeader('link', '</iam/v1/groups?page_token=abc>; rel="next"')
      return contract.transport(request, response, serve, at)
    },
  })),
]
