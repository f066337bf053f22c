import { randomBytes } from 'node:crypto'
import type { At } from '../../domain/at.ts'
import type { Fields } from '../../domain/item.ts'
import { type Variant, variant } from '../../fault.ts'
import { on } from '../../replace.ts'

const deep = (levels: number): unknown => {
  let inner: unknown = { end: true }
  for (let level = 0; level < levels; level++) inner = level % 2 === 0 ? { inner } : [inner]
  return inner
}
const nested = deep(500)

/** Lawful members that the contract does not name (R8). */
export const runMemberVariants: readonly Variant[] = [
  variant('a list says that all went well', (contract) => ({
    listBody: (parts, at) => ({ code: 200, message: 'OK', details: [], ...contract.listBody(parts, at) }),
  })),
  variant('a list has a uid and a name of its own', (contract) => ({
    listBody: (parts, at) => ({
      uid: 'f2c1a7d0e4b59683',
      name: 'a page of a list',
      createTime: new Date(at.world.now()).toISOString(),
      ...contract.listBody(parts, at),
    }),
  })),
  variant('a list begins with what belongs to others, its scope included', (contract) => ({
    listBody(parts, at) {
      const { store } = at.world
      const { childrenOf, descendantsOf } = at.query ?? {}
      const scope = store.get('groups', childrenOf ?? descendantsOf ?? '')
      const time = (milliseconds: number) => contract.timestamp(milliseconds, at)
      const above = scope && store.get('groups', scope.parent)
      const included = [scope, above].flatMap((group) => (group ? [contract.group(group, time, at)] : []))
      return { links: [], included, ...contract.listBody(parts, at) }
    },
  })),
  variant(
    'a group shows the group above it, and what is in it',
    on('groups', (contract) => ({
      group(item, time, at) {
        const { store } = at.world
        const above = store.get('groups', item.parent)
        const inside = [...store.under('groups', item.uid)].slice(0, 3)
        return {
          ...contract.group(item, time, at),
          parent: above && { uid: above.uid, name: above.name },
          groups: inside.map(({ uid, name }) => ({ uid, name })),
        }
      },
    })),
  ),
  variant('answers hold members called __proto__ and constructor, and one that is deep', () => ({
    text(body) {
      const text = JSON.stringify(body)
      const isObject = typeof body === 'object' && body !== null && !Array.isArray(body)
      if (!isObject || Object.keys(body as Fields).length === 0) return text
      const odd = `"__proto__":{"uid":"x"},"constructor":"c","toString":1,"hasOwnProperty":null,"deep":${JSON.stringify(nested)}`
      return `{${odd},${text.slice(1)}`
    },
  })),
  variant('every group says that it is not deleted, its role, and that it has no identity', (contract) => ({
    group: (item, time, at) => ({
      ...contract.group(item, time, at),
      id: '4711',
      createdAt: 'long ago',
      deletion: { scheduled: false, policy: 'RETAIN' },
      deleteTime: null,
      state: 'ACTIVE',
      etag: randomBytes(4).toString('hex'),
      role: { uid: 'x', name: 'viewer' },
      identity: null,
    }),
  })),
  variant('a claim match says when it was last looked at', (contract) => ({
    identity(item, time, at) {
      const shown = contract.identity(item, time, at)
      const claimMatch = { ...(shown.claimMatch as Fields), audience: '', lookedAt: new Date().toISOString() }
      return { ...shown, claimMatch }
    },
  })),
  variant('whatever is given says that all went well', (contract) => ({
    render(answer, at) {
      const shown = contract.render(answer, at)
      const { body } = shown
      const isGiven = typeof body === 'object' && body !== null && Object.keys(body).length > 0 && at.kind !== 'none'
      const envelope = { status: 'ok', code: 200, message: 'OK', details: [], error: null }
      return shown.status < 300 && isGiven ? { ...shown, body: { ...body, ...envelope } } : shown
    },
  })),
  variant('a repo shows three hundred layers, and a group six hundred entries', (contract) => ({
    repo: (item, time, at) => ({
      ...contract.repo(item, time, at),
      layers: Array.from({ length: 300 }, (_, n) => ({ n })),
    }),
    group: (item, time, at) => ({
      ...contract.group(item, time, at),
      permissions: Array.from({ length: 600 }, (_, n) => `p${n}`),
    }),
  })),
  variant('members that differ from the named ones in case and style are beside them', (contract) => {
    const odd = { UID: 7, Name: ['x'], Description: false, CreateTime: null, update_time: 0 }
    // a message names its fields in either style
    const beside = (fields: Fields, { over }: At): Fields =>
      over === 'grpc' ? fields : { ...odd, ...fields, NAME: '' }
    return {
      group: (item, time, at) => beside(contract.group(item, time, at), at),
      identity: (item, time, at) => beside(contract.identity(item, time, at), at),
      role: (item, time, at) => beside(contract.role(item, time, at), at),
      roleBinding: (item, parts, time, at) => beside(contract.roleBinding(item, parts, time, at), at),
      listBody(parts, at) {
        const fields = contract.listBody(parts, at)
        const others = { items: [], next_page_token: 'none', total_count: 3, NextPageToken: 'none' }
        return at.over === 'grpc' ? fields : { ...others, ...fields, TotalCount: -1 }
      },
    }
  }),
]
