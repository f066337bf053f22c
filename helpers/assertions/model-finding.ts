import type { Exchange } from '../http/exchange.ts'
import { violated } from './violation.ts'

/** What the model found wrong, and the exchanges that explain it. */
interface Finding {
  finding: { expected: unknown; got: unknown; n: number; about: readonly string[] }
  exchanges: readonly Exchange[]
}

/** Fails where the model found something; the calls that explain the first finding are the evidence. */
export function fits([shown]: readonly Finding[], evidence: Exchange[]): void {
  if (shown === undefined) return
  evidence.push(...shown.exchanges)
  const { expected, got, n, about } = shown.finding
  const of = about.length > 0 ? ` (${about.join(', ')})` : ''
  violated({ message: `exchange ${n} does not fit what was written${of}`, expected, got, where: `exchange ${n}` })
}
