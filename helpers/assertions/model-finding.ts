import type { Exchange } from '../http/exchange.ts'
import { violated } from './violation.ts'

/** What the model found wrong, and the exchanges that explain it. */
interface Finding {
  finding: { expected: string; got: string; n: number; about: readonly string[] }
  exchanges: readonly Exchange[]
}

/** Fails where the model found something; the calls that explain the first finding are the evidence. */
export function fits([shown]: readonly Finding[], evidence: Exchange[]): void {
  if (shown === undefined) return
  evidence.push(...shown.exchanges)
  const { n, about } = shown.finding
  const operation = shown.exchanges.find(({ number }) => number === n)?.operation ?? 'a call'
  const of = about.length > 0 ? `; it is about ${about.slice(0, 2).map(lastPart).join(' and ')}` : ''
  const message = `the answer to ${operation} contradicts the calls before it${of}`
  violated({ message, ...inShort(shown.finding), where: `exchange ${n}` })
}

/** What was expected and what came, with the uids that a finding is about by their ends. */
export function inShort({ expected, got, about }: Omit<Finding['finding'], 'n'>): { expected: string; got: string } {
  return { expected: withoutPaths(expected, about), got: withoutPaths(got, about) }
}

/** The end of a uid, which people recognize. */
const lastPart = (uid: string) => (uid.includes('/') ? `…/${uid.split('/').at(-1)}` : uid)

/** A text in which each of these uids is only its end; the longest first, because one uid begins another. */
const withoutPaths = (text: string, uids: readonly string[]) =>
  uids
    .filter((uid) => uid.includes('/'))
    .toSorted((a, b) => b.length - a.length)
    .reduce((short, uid) => short.replaceAll(uid, lastPart(uid)), text)
