import type { Fields } from '../../domain/item.ts'
import { type Variant, variant } from '../../fault.ts'
import { on } from '../../replace.ts'

const deep = (levels: number): unknown => {
  let inner: unknown = { end: true }
  for (let level = 0; level < levels; level++) inner = level % 2 === 0 ? { inner } : [inner]
  return inner
}
const nested = deep(30)

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
]
