import { createHash } from 'node:crypto'
import type { Report } from '../../schemas/types.ts'

/** The digest of bytes or text. */
export function sha256(content: string | Uint8Array): string {
  return createHash('sha256').update(content).digest('hex')
}

/** The digest of a value as JSON, whatever the order of its members. */
export function digestOf(value: unknown): string {
  return sha256(JSON.stringify(value, inOrder) ?? 'undefined')
}

function inOrder(_key: string, value: unknown): unknown {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return value
  return Object.fromEntries(Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1)))
}

/** The digest of the exchanges that a report keeps. */
export function exchangesDigest({ requirements }: Pick<Report, 'requirements'>): string {
  return digestOf(requirements.map(({ id, exchanges = [] }) => [id, exchanges]))
}

/** The report with the digest of the exchanges that it has now: the last step before it is written. */
export function sealed(report: Report): Report {
  if (report.digests === undefined) return report
  return { ...report, digests: { ...report.digests, exchanges: exchangesDigest(report) } }
}
