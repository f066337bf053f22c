import type { Rules } from '../rules.types.ts'

const threeDays = 3 * 24 * 60 * 60 * 1000

/** The rules about page tokens (S4.12, S8.3). */
export const pageTokenRules = {
  cursor: (last, key, order, skipped, now, at) => ({
    kind: at.kind,
    ...order,
    key,
    uid: last.uid,
    issued: now,
    page: at.page,
    skipped,
  }),
  encodeToken: (cursor) => Buffer.from(JSON.stringify(cursor)).toString('base64url'),
  decodeToken(token) {
    const bytes = Buffer.from(token, 'base64url')
    if (bytes.toString('base64url') !== token) return undefined
    try {
      const cursor = JSON.parse(bytes.toString())
      const { kind, field, descending, key, uid, issued, page, skipped } = cursor
      const texts = [kind, field, uid].every((value) => typeof value === 'string')
      const numbers = [issued, page, skipped].every((value) => Number.isFinite(value))
      const keyed = typeof key === (String(field).endsWith('Time') ? 'number' : 'string')
      return texts && numbers && keyed && typeof descending === 'boolean' ? cursor : undefined
    } catch {
      return undefined
    }
  },
  cursorFits: (cursor, order, at) =>
    cursor.kind === at.kind && cursor.field === order.field && cursor.descending === order.descending,
  expired: (issued, now) => now - issued > threeDays,
  badTokenRestarts: () => false,
} satisfies Partial<Rules>
