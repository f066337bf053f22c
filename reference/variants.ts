import { createHash, randomBytes } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { gzipSync } from 'node:zlib'
import type { Fields, Item } from './domain/item.ts'
import { Refusal } from './domain/refusal.ts'
import type { At, Cursor, Order } from './domain/world.ts'
import { during, named, on, type Replacement, type Variant, variant, withBody } from './replace.ts'
import type { Answer } from './rules.ts'
import { variantsOfTheDeep } from './variants-deep.ts'
import { variantsOfTheExchange } from './variants-exchange.ts'

import { variantsOfKinds } from './variants-kinds.ts'

import { variantsOfStories } from './variants-stories.ts'

import { variantsOfTime } from './variants-time.ts'
import { variantsOfV1 } from './variants-v1.ts'

/** Every resource shown another way, those that a binding embeds included. */
function shown(change: (fields: Fields) => Fields): Replacement {
  const inner = (part: unknown) => part && change(part as Fields)
  return (contract) => ({
    group: (...given) => change(contract.group(...given)),
    identity: (...given) => change(contract.identity(...given)),
    role: (...given) => change(contract.role(...given)),
    identityProvider: (...given) => change(contract.identityProvider(...given)),
    accountAssociation: (...given) => change(contract.accountAssociation(...given)),
    groupInvite: (...given) => change(contract.groupInvite(...given)),
    repo: (...given) => change(contract.repo(...given)),
    tag: (...given) => change(contract.tag(...given)),
    advisory: (...given) => change(contract.advisory(...given)),
    roleBinding(...given) {
      const { identity, group, role, ...fields } = contract.roleBinding(...given)
      return { ...change(fields), identity: inner(identity), group: inner(group), role: inner(role) }
    },
  })
}

const without =
  (member: string, unset: unknown) =>
  ({ [member]: value, ...fields }: Fields): Fields =>
    value === unset || value === undefined ? fields : { ...fields, [member]: value }

/** Answers rendered another way; a body that is text is sent as it stands. */
const rendered =
  (change: (answer: Answer, at: At) => Answer): Replacement =>
  (contract) => ({
    render: (answer, at) => change(contract.render(answer, at), at),
    text: (body) => (typeof body === 'string' ? body : JSON.stringify(body)),
  })

type Headers = Record<string, string>

/** Answers sent another way: the bytes in one or several pieces, under other headers. */
function sent(change: (bytes: Buffer, headers: Headers) => [Headers, ...Buffer[]]): Replacement {
  return () => ({
    transport(_request, response, serve) {
      const { writeHead, end } = response
      let [status, given]: [number, Headers] = [200, {}]
      response.writeHead = ((...head: [number, Headers]) => {
        ;[status, given] = head
        return response
      }) as typeof writeHead
      response.end = ((text = '') => {
        const [headers, ...pieces] = change(Buffer.from(text), given)
        writeHead.call(response, status, headers)
        for (const piece of pieces) response.write(piece)
        return end.call(response, undefined, 'utf8')
      }) as typeof end
      return serve()
    },
  })
}

/** Of so many calls one is answered another way, and not served at all. */
const nowAndThen =
  (every: number, status: number, headers: Headers): Replacement =>
  () => {
    let calls = 0
    return {
      async transport(_request, response, serve) {
        if (++calls % every !== 0) return serve()
        response.writeHead(status, { 'content-length': '0', ...headers }).end()
      },
    }
  }

/** Names ordered as a language or a habit has it. */
const collated =
  (key: (name: string) => string, options: Intl.CollatorOptions = {}): Replacement =>
  () => {
    const { compare } = new Intl.Collator('en', options)
    return {
      compareKeys: (a, b) =>
        typeof a === 'number' && typeof b === 'number' ? a - b : compare(key(String(a)), key(String(b))),
    }
  }

/** Lists in another order where none is asked for. */
const unordered = (order: Order, key?: (item: Item) => string): Replacement =>
  during('list', (contract) => ({
    order: (asked, cursor, at) => (asked === undefined ? order : contract.order(asked, cursor, at)),
    sortKey: (item, field, at) => (key && field === 'uid' ? key(item) : contract.sortKey(item, field, at)),
  }))

/** Tokens that stand for a cursor which the server keeps. */
const kept =
  (name: (count: number) => string): Replacement =>
  () => {
    const cursors = new Map<string, Cursor>()
    return {
      encodeToken(cursor) {
        const token = name(cursors.size)
        cursors.set(token, cursor)
        return token
      },
      decodeToken: (token) => cursors.get(token),
    }
  }

/** Lists that show everything so late, in milliseconds. */
const late =
  (lag: number): Replacement =>
  (contract) => {
    const before = new Map<string, { item: Item; until: number }>()
    const young = (time: number, at: At) => time > at.world.now() - lag
    return {
      seen(item, at) {
        if (at.operation !== 'list' || item.org === '') return item
        const old = before.get(item.uid)
        if (old && old.until > at.world.now()) return old.item
        return young(item.createTime, at) ? undefined : item
      },
      modify({ read, change, write }, at) {
        const old = read()
        const next = change(old)
        if (!young(old.createTime, at)) before.set(old.uid, { item: old, until: at.world.now() + lag })
        write(next)
        return next
      },
      forget({ drop, unlist }, item, at) {
        contract.forget({ drop, unlist: () => void setTimeout(unlist, lag).unref() }, item, at)
      },
    }
  }

/** The creator of a group is bound to a role in it. */
const bindsCreators =
  (counts: boolean): Replacement =>
  (contract) => {
    const own = new Set<string>()
    return {
      keep(item, at) {
        contract.keep(item, at)
        if (item.kind !== 'groups') return
        const { store } = at.world
        const [identity] = [...store.all('identities')].filter(({ name }) => name === 'builder')
        const [role] = store.under('roles', '')
        const uid = contract.mintUid(item, at)
        own.add(uid)
        const bound = { identityUid: identity?.uid ?? '', roleUid: role?.uid ?? '', name: '' }
        store.put({ ...item, ...bound, kind: 'roleBindings', uid, parent: item.uid })
      },
      blocksDelete(item, living, at) {
        const bindings = [...at.world.store.under('roleBindings', item.uid)]
        const free = !counts && bindings.every(({ uid }) => own.has(uid))
        return contract.blocksDelete(item, free ? living.filter((kind) => kind !== 'roleBindings') : living, at)
      },
      alsoRemoved: (item, at) => [
        ...contract.alsoRemoved(item, at),
        ...(item.kind === 'groups' ? at.world.store.under('roleBindings', item.uid) : []),
      ],
    }
  }

const jitter = (most: number) => sleep(Math.random() * most)

const strange = '+/=%&#? ;:"\'<>\\ü🙂'

/** Every lawful variant. */
export const variants: readonly Variant[] = [
  // Answers
  variant('a delete answers with no bytes', () => ({ deleted: () => undefined })),
  variant('a delete answers 204', () => ({
    deleted: () => undefined,
    successStatus: (at) => (at.operation === 'delete' ? 204 : 200),
  })),
  variant('a create answers 201 and an update 202', () => ({
    successStatus: ({ operation }) => (operation === 'create' ? 201 : operation === 'update' ? 202 : 200),
  })),
  variant('an unset description is left out', shown(without('description', ''))),
  variant('verified is left out where it is false', shown(without('verified', false)), ['group.verified.shown']),
  variant(
    'an unset description is null',
    (contract) => ({
      group: (...given) => {
        const fields = contract.group(...given)
        return { ...fields, description: fields.description || null }
      },
    }),
    ['service.nulls'],
  ),
  variant('every answer holds more than the contract names', (contract) => ({
    ...shown((fields) => ({
      '@type': 'type.reference.test/resource',
      ...fields,
      etag: '"5"',
      labels: { a: null },
      id: fields.uid,
      parent: null,
    }))(contract),
    listBody: (parts, at) => ({
      kind: 'list',
      results: parts.items.length,
      items: [],
      ...contract.listBody(parts, at),
      unreachable: [],
    }),
    deleted: () => ({}),
  })),
  variant(
    'a new group has limits',
    on('groups', {
      newborn: () => ({
        description: '',
        resourceLimits: { repositories: 10, clusters: 0, seats: 3 },
        verified: false,
      }),
    }),
  ),
  variant(
    'roles have no times and mostly no description',
    (contract) => ({
      role(...given) {
        const { uid, name, description } = contract.role(...given)
        return name === 'viewer' ? { uid, name, description } : { uid, name }
      },
    }),
    ['role.times'],
  ),
  variant('there are three roles', (contract) => ({
    seen: (item, at) =>
      item.kind !== 'roles' || ['viewer', 'group.editor', 'group.admin'].includes(item.name)
        ? contract.seen(item, at)
        : undefined,
  })),
  variant('there are three hundred roles, and the viewer is the last', (contract) => {
    let made = false
    return {
      transport(request, response, serve, at) {
        const [pattern] = at.world.store.under('roles', '')
        for (let count = 0; !made && pattern && count < 240; count++) {
          const name = `area.${'abcdefghijklmnop'[count >> 4]}${'abcdefghijklmnop'[count & 15]}`
          const uid = `5${createHash('sha1').update(name).digest('hex').slice(1)}`
          at.world.store.put({ ...pattern, uid, name, description: '' })
        }
        made = true
        return contract.transport(request, response, serve, at)
      },
    }
  }),

  // Times
  variant('a fraction that is zero is left out', () => ({
    timestamp: (milliseconds) => new Date(milliseconds).toISOString().replace(/\.?0+Z$/, 'Z'),
  })),
  variant(
    'times are written with an offset',
    () => ({ timestamp: (milliseconds) => new Date(milliseconds).toISOString().replace('Z', '+00:00') }),
    ['time.form'],
  ),
  variant(
    'times have six digits, three of them zero',
    () => ({ timestamp: (milliseconds) => new Date(milliseconds).toISOString().replace('Z', '000Z') }),
    ['time.form'],
  ),
  variant('the clock is ten minutes slow', () => ({
    timestamp: (milliseconds) => new Date(milliseconds - 10 * 60_000).toISOString(),
  })),
  variant('an update of nothing moves updateTime', () => ({
    touched: ({ createTime, updateTime }, _differs, now) => ({
      createTime,
      updateTime: Math.max(now, updateTime + 1),
    }),
  })),

  // Uids
  variant('digits above nine are capitals', () => ({
    mintUid: (parent) => `${parent.uid}/${randomBytes(8).toString('hex').toUpperCase()}`,
  })),
  variant('segments have four to thirty-two digits', () => {
    const lengths = [4, 8, 32, 6]
    let count = 0
    return {
      mintUid(parent, at) {
        const { store } = at.world
        for (;;) {
          const digits = lengths[count++ % lengths.length]
          const uid = `${parent.uid}/${randomBytes(16).toString('hex').slice(0, digits)}`
          if (!(['groups', 'identities', 'roleBindings'] as const).some((kind) => store.get(kind, uid))) return uid
        }
      },
    }
  }),
  variant('identities and bindings have uids without a path', (contract) => ({
    mintUid: (parent, at) =>
      at.kind === 'groups' ? contract.mintUid(parent, at) : randomBytes(18).toString('base64url'),
  })),
  variant(
    'only an escaped slash works in a path',
    (contract) => ({ pathUid: (raw, at) => (raw.includes('/') ? undefined : contract.pathUid(raw, at)) }),
    ['service.slashes'],
  ),

  // Names and bodies
  variant('no name is used twice in an organization, even after its group is gone', (contract) => {
    const owners = new Map<string, string>()
    return on('groups', {
      nameTaken: (wanted) => (owners.get(wanted.name) ?? wanted.uid) !== wanted.uid,
      keep(item, at) {
        contract.keep(item, at)
        owners.set(item.name, item.uid)
      },
      modify(steps, at) {
        const write = (next: Item) => {
          steps.write(next)
          owners.set(next.name, next.uid)
        }
        return contract.modify({ ...steps, write }, at)
      },
    })(contract)
  }),
  variant(
    'a name has three to sixty-three characters, and none of them punctuation at an end',
    on('groups', (contract) => ({
      nameProblem: (name, at) =>
        contract.nameProblem(name, at) ??
        (/^[a-z0-9]([ ._-]?[a-z0-9]){2,}$/.test(String(name)) && String(name).length <= 63
          ? undefined
          : 'a name has 3 to 63 characters'),
    })),
    ['group.name.accepts.unusual'],
  ),
  variant('a description is ASCII', (contract) => ({
    descriptionProblem: (description, at) =>
      typeof description === 'string' && /[^ -~]/.test(description)
        ? 'a description is plain text'
        : contract.descriptionProblem(description, at),
  })),
  variant('a body with a member that nobody knows is refused', (contract) => ({
    body(bytes, at) {
      const fields = contract.body(bytes, at)
      const unknown = Object.keys(fields ?? {}).find((field) => !contract.settable(at).includes(field))
      if (unknown) throw new Refusal('invalid', unknown, 'there is no such field')
      return fields
    },
  })),
  variant(
    'an empty description without a mask is not populated',
    (contract) => {
      const masked = new WeakSet<At>()
      return {
        mask(raw, at) {
          const fields = contract.mask(raw, at)
          if (fields) masked.add(at)
          return fields
        },
        ...withBody((sent) => ({
          changed: (fields, mask, settable, at) =>
            contract.changed(fields, mask, settable, at).filter((field) => masked.has(at) || sent(at)[field] !== ''),
        }))(contract),
      }
    },
    ['group.update.clears-unmasked'],
  ),
  variant('an update of nothing is refused', (contract) => ({
    changed(fields, mask, settable, at) {
      if (fields.length === 0) throw new Refusal('invalid', 'body', 'nothing to update')
      return contract.changed(fields, mask, settable, at)
    },
  })),
  variant('a mask lists one field at the most', () => ({ mask: (raw) => (raw ? [raw] : undefined) }), [
    'group.update.mask.several',
  ]),
  variant('a mask with a field that cannot be updated is refused', (contract) => ({
    mask(raw, at) {
      const fields = contract.mask(raw, at)
      const wrong = fields?.find((field) => !contract.settable(at).includes(field))
      if (wrong !== undefined) throw new Refusal('invalid', 'updateMask', `${wrong} cannot be updated`)
      return fields
    },
  })),
  variant('of two updates at once one is refused', (contract) => {
    const busy = new Set<string>()
    return {
      async modify(steps, at) {
        const { uid } = steps.read()
        if (busy.has(uid)) throw new Refusal('taken', at.kind, 'somebody else is at it')
        busy.add(uid)
        try {
          await sleep(3)
          return await contract.modify(steps, at)
        } finally {
          busy.delete(uid)
        }
      },
    }
  }),
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
  variant('a binding keeps the names that it was made with', () => {
    const first = new Map<string, Item>()
    return {
      hydrated(part, kind, binding) {
        const key = `${binding.uid} ${kind}`
        if (part && !first.has(key)) first.set(key, part)
        return first.get(key)
      },
    }
  }, ['roleBinding.hydrated.live', 'roleBinding.hydrated.live-identity']),

  // Lists
  variant('the last page has no nextPageToken at all', (contract) => ({
    listBody(parts, at) {
      const { nextPageToken, ...fields } = contract.listBody(parts, at)
      return nextPageToken === '' ? fields : { ...fields, nextPageToken }
    },
  })),
  variant(
    'the last page has a token that is null',
    (contract) => ({
      listBody: (parts, at) => ({
        ...contract.listBody(parts, at),
        nextPageToken: parts.nextPageToken === '' ? null : parts.nextPageToken,
      }),
    }),
    ['list.token.not-null'],
  ),
  variant(
    'an empty list has neither array nor total',
    (contract) => ({
      listBody: (parts, at) => (parts.items.length === 0 ? {} : contract.listBody(parts, at)),
    }),
    ['list.empty.written-out'],
  ),
  variant('skipped stands only where something was skipped', (contract) => ({
    listBody(parts, at) {
      const { skipped, ...fields } = contract.listBody(parts, at)
      return at.query?.skip ? { ...fields, skipped } : fields
    },
  })),
  variant('skipped is no more than there is to skip', (contract) => {
    const sizes = new WeakMap<At, number>()
    return {
      sorted(items, compare, at) {
        sizes.set(at, items.length)
        return contract.sorted(items, compare, at)
      },
      skipped: (skip, _before, at) => Math.min(skip, sizes.get(at) ?? skip),
    }
  }),
  variant('a skip beyond the end is refused', (contract) => ({
    page(rest, skip, size, at) {
      if (skip > 0 && skip >= rest.length) throw new Refusal('invalid', 'skip', 'there are not so many')
      return contract.page(rest, skip, size, at)
    },
  })),
  variant('a full last page has a token', () => ({ more: (_left, shown, size) => shown === size }), [
    'list.token.full-last-page',
  ]),
  variant('a token that was never issued starts over', () => ({ badTokenRestarts: () => true })),
  variant(
    'tokens are numbers',
    kept((count) => String(count + 1)),
  ),
  variant(
    'tokens are long and full of odd characters',
    kept((count) => `${count}${strange.repeat(120)}`),
  ),
  variant(
    'a walk has one token on all its pages',
    (contract) => {
      const cursors = new Map<string, Cursor>()
      return {
        encodeToken(cursor, at) {
          const token = String(at.query?.cursor?.walk ?? `walk ${cursors.size}`)
          cursors.set(token, { ...cursor, walk: token })
          return token
        },
        decodeToken: (token) => cursors.get(token),
        cursorFits: (...given) => contract.cursorFits(...given),
      }
    },
    ['list.token.twice'],
  ),
  variant('a token works once', () => {
    const cursors = new Map<string, Cursor>()
    return {
      encodeToken(cursor) {
        const token = randomBytes(12).toString('hex')
        cursors.set(token, cursor)
        return token
      },
      decodeToken(token) {
        const cursor = cursors.get(token)
        cursors.delete(token)
        return cursor
      },
    }
  }, ['list.token.twice']),
  variant('a page_size above two hundred is refused, and so is none', (contract) => ({
    count: (raw, parameter, at) => {
      const count = contract.count(raw, parameter, at)
      return parameter === 'page_size' && (count === 0 || (count ?? 0) > 200) ? undefined : count
    },
  })),
  variant('a page_size above two hundred is as good as none', () => ({
    pageSize: (asked) => (asked === 0 || asked > 200 ? 50 : asked),
  })),
  variant('an order that nobody knows is no order', (contract) => ({
    order: (asked, cursor, at) => contract.order(asked, cursor, at) ?? { field: 'uid', descending: false },
  })),
  variant('without an order a list goes by name', unordered({ field: 'name', descending: false })),
  variant('without an order a list gives the newest first', unordered({ field: 'createTime', descending: true })),
  variant(
    'without an order a list goes by a hash',
    unordered({ field: 'uid', descending: false }, ({ uid }) => createHash('md5').update(uid).digest('hex')),
  ),
  variant(
    'names are collated without regard to case and accents',
    collated((name) => name, { sensitivity: 'base' }),
  ),
  variant(
    'names are collated without punctuation',
    collated((name) => name, { ignorePunctuation: true }),
  ),
  variant(
    'numbers in names count as numbers',
    collated((name) => name, { numeric: true }),
  ),
  variant(
    'digits come after letters',
    collated((name) => name.replace(/\d/g, (digit) => `zzz${digit}`)),
  ),
  variant('below includes the group itself', (contract) => ({
    *candidates(at) {
      const scope = at.kind === 'groups' && at.query?.childrenOf === undefined && at.query?.descendantsOf
      const self = scope ? at.world.store.get('groups', scope) : undefined
      if (self) yield self
      yield* contract.candidates(at)
    },
    withinScope: (item, at) => item.uid === at.query?.descendantsOf || contract.withinScope(item, at),
  })),
  variant('a list without a scope is refused', () => ({
    objection: (uid, { kind, operation }) =>
      uid === '' && operation === 'list' && kind !== 'roles'
        ? new Refusal('invalid', 'uidp', 'a scope is required')
        : undefined,
  })),
  variant('a scope that is not there is refused as missing', () => ({
    objection: (uid, { world, operation }) =>
      uid !== '' && operation === 'list' && !world.store.get('groups', uid)
        ? new Refusal('missing', 'groups', `there is no ${uid}`)
        : undefined,
  })),
  variant('a scope that is not there is forbidden', () => ({
    objection: (uid, { world, operation }) =>
      uid !== '' && operation === 'list' && !world.store.get('groups', uid)
        ? new Refusal('forbidden', 'groups', 'you may not see this')
        : undefined,
  })),
  variant('roles know no filter by name', on('roles', { matchesName: () => true }), ['list.filter.exact@roles']),
  variant('identities know no filter by name', on('identities', { matchesName: () => true }), [
    'list.filter.identities',
    'list.filter.exact@identities',
  ]),
  variant('roles and bindings can do what is printed and no more', () => ({
    objection: (_uid, { kind, operation }) =>
      (kind === 'roleBindings' && !['create', 'delete'].includes(operation)) ||
      (kind === 'roles' && operation !== 'list')
        ? new Refusal('unimplemented', 'method', 'not implemented')
        : undefined,
  })),
  variant('identities can be created and deleted and no more, which is a fault of code 12', (contract) => ({
    objection: (_uid, { kind, operation }) =>
      kind === 'identities' && !['create', 'delete'].includes(operation)
        ? new Refusal('unimplemented', 'method', 'not implemented')
        : undefined,
    errorStatus: (refusal, at) => (refusal.problem === 'unimplemented' ? 500 : contract.errorStatus(refusal, at)),
  })),
  variant('a list shows everything 300 ms late', late(300), ['list.lag']),

  // Refusals
  variant(
    'what is missing is answered with a page of HTML',
    rendered((answer) =>
      answer.status === 404
        ? { status: 404, headers: { 'content-type': 'text/html' }, body: '<html><h1>Not found</h1></html>' }
        : answer,
    ),
  ),
  variant('what is missing is forbidden', (contract) => ({
    errorStatus: (refusal, at) => (refusal.problem === 'missing' ? 403 : contract.errorStatus(refusal, at)),
    errorCode: (refusal, at) => (refusal.problem === 'missing' ? 7 : contract.errorCode(refusal, at)),
  })),
  variant(
    'what is missing is answered with nothing at all',
    rendered((answer) => (answer.status === 404 ? { status: 410, headers: {}, body: undefined } : answer)),
  ),
  variant(
    'a missing token is answered with a JSON type and no bytes',
    rendered((answer) =>
      answer.status === 401
        ? { status: 401, headers: { 'content-type': 'application/json' }, body: undefined }
        : answer,
    ),
  ),
  variant(
    'a missing token is answered 403 in HTML',
    rendered((answer) =>
      answer.status === 401 ? { status: 403, headers: { 'content-type': 'text/html' }, body: '<p>No</p>' } : answer,
    ),
  ),
  variant('bad arguments are answered 422 and full groups 409', (contract) => ({
    errorStatus: (refusal, at) =>
      refusal.problem === 'invalid' ? 422 : refusal.problem === 'notEmpty' ? 409 : contract.errorStatus(refusal, at),
  })),
  variant('details stand the other way round, beside others, under another host', (contract) => ({
    errorDomain: () => 'accounts.example.org',
    errorDetails: (refusal, info, at) => [
      { '@type': 'types.example.org/google.rpc.RequestInfo', requestId: 'r-1', servingData: '' },
      { '@type': 'types.example.org/google.rpc.Help', links: [] },
      ...contract
        .errorDetails(refusal, { ...info, metadata: { service: 'iam' } } as typeof info, at)
        .map((detail) => ({
          ...detail,
          '@type': String(detail['@type']).replace('type.googleapis.com', 'types.example.org'),
        }))
        .reverse(),
    ],
  })),

  // What else lives there
  variant('the creator of a group is bound in it, which does not keep it from being deleted', bindsCreators(false)),
  variant('the creator of a group is bound in it, and the binding has to go first', bindsCreators(true)),
  variant('others write in the same organization all the time', (contract) => {
    let calls = 0
    const made: Item[] = []
    return {
      transport(request, response, serve, at) {
        const { store, operator, now } = at.world
        const working = [...store.under('groups', operator.org)]
        for (const parent of calls++ % 5 === 0 ? working : []) {
          const uid = contract.mintUid(parent, at)
          const item = { ...parent, uid, parent: parent.uid, name: `other ${calls}`, createTime: now() }
          store.put(item)
          made.push(item)
        }
        const old = made.length > 40 ? made.shift() : undefined
        if (old) {
          store.drop(old)
          store.unlist(old)
        }
        return contract.transport(request, response, serve, at)
      },
    }
  }),

  // The wire
  variant(
    'answers are compressed',
    sent((bytes, headers) => {
      const packed = gzipSync(bytes)
      return [{ ...headers, 'content-encoding': 'gzip', 'content-length': String(packed.length) }, packed]
    }),
  ),
  variant(
    'answers come in chunks',
    sent((bytes, headers) => {
      const { 'content-length': _, ...rest } = headers
      const middle = Math.ceil(bytes.length / 2)
      return [rest, bytes.subarray(0, middle), bytes.subarray(middle)].filter(
        (piece) => !Buffer.isBuffer(piece) || piece.length > 0,
      ) as [Headers, ...Buffer[]]
    }),
  ),
  variant(
    'headers are capitals, and JSON has a charset',
    sent((bytes, headers) => [
      Object.fromEntries(
        Object.entries(headers).map(([name, value]) => [
          name.toUpperCase(),
          value === 'application/json' ? 'Application/JSON; Charset=UTF-8' : value,
        ]),
      ),
      bytes,
    ]),
  ),
  variant('JSON is spread out and escaped', () => ({
    text: (body) =>
      ` \r\n${JSON.stringify(body, null, '\t').replace(/[^\n\t -~]|[/<&]/g, (character) =>
        character === '/' ? '\\/' : `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`,
      )}\n`,
  })),
  variant('the members of every answer stand the other way round', () => ({
    text: (body) =>
      JSON.stringify(body, (_key, value) =>
        value && typeof value === 'object' && !Array.isArray(value)
          ? Object.fromEntries(Object.entries(value).reverse())
          : value,
      ),
  })),
  variant(
    'every answer closes its connection',
    sent((bytes, headers) => [{ ...headers, connection: 'close' }, bytes]),
  ),
  variant('every connection is closed without a word', (contract) => ({
    transport(request, response, serve, at) {
      response.on('finish', () => request.socket.end())
      return contract.transport(request, response, serve, at)
    },
  })),
  variant('answers are slow, some more than others', () => ({
    async transport(_request, _response, serve) {
      await jitter(60)
      await serve()
    },
  })),
  variant('now and then a call is asked to wait no time', nowAndThen(40, 503, { 'retry-after': '0' })),
  variant('now and then there are too many calls', nowAndThen(600, 429, {})),
  ...variantsOfTheDeep,
  ...variantsOfKinds,
  ...variantsOfTheExchange,
  ...variantsOfStories,
  ...variantsOfTime,
  ...variantsOfV1,
]

/** The variant that bears a name; throws where none does, naming the nearest. */
export const variantNamed = (name: string): Variant => named('variant', variants, name)
