import type { Fields } from '../domain/item.ts'
import type { Rules } from '../rules.types.ts'

/** The rules about what a call brings, and what it may see. */
export const readingRules = {
  body(bytes) {
    try {
      const text = new TextDecoder('utf-8', { fatal: true }).decode(bytes)
      const body: unknown = text === '' ? {} : JSON.parse(text)
      return typeof body === 'object' && body !== null && !Array.isArray(body) ? (body as Fields) : undefined
    } catch {
      return undefined
    }
  },
  objection: () => undefined,
  pathUid(raw) {
    try {
      return decodeURIComponent(raw)
    } catch {
      return undefined
    }
  },
  found: (uid, kind, at) => at.world.store.get(kind, uid),
  seen: (item) => item,
  belongs: (item, at) => item.org === '' || item.org === at.caller?.org,
} satisfies Partial<Rules>
