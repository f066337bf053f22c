import type { Header } from '../../schemas/types.ts'
import { type Contract, statementsCited } from '../text/contract.ts'

/** The coverage of one statement of the contract: which requirements test and observe it, or why none does. */
export interface Coverage {
  id: string
  text: string
  /** The ids of those that judge it, *must* and *should*. */
  tested: string[]
  observed: string[]
  /** Only if no requirement cites it. */
  why?: string
}

/** Every statement of the contract, in its order; one that no requirement cites and no reason excuses says so. */
export function coverageOf(
  headers: readonly Pick<Header, 'id' | 'level' | 'statement'>[],
  { statements }: Contract,
  excuses: Readonly<Record<string, string>>,
): Coverage[] {
  return [...statements.values()].map(({ id, text }) => {
    const citing = headers.filter(({ statement }) => statementsCited(statement).includes(id))
    const ids = (observed: boolean) =>
      citing.filter(({ level }) => (level === 'observe') === observed).map((header) => header.id)
    const why = citing.length > 0 ? {} : { why: excuses[id] ?? 'No requirement cites it, and no reason is given.' }
    return { id, text, tested: ids(false), observed: ids(true), ...why }
  })
}

/** One line, at most so many columns wide: many ids become families, by glob and count. */
export function coverageLine({ id, tested, observed, why }: Coverage, columns = 120): string {
  const start = `${id.padEnd(6)} `
  if (why !== undefined) return cut(`${start}untested: ${why}`, columns)
  const lines = coarser.map((family) => {
    const parts = [
      ...(tested.length > 0 ? [`tested: ${families(tested, family)}`] : []),
      ...(observed.length > 0 ? [`observed: ${families(observed, family)}`] : []),
    ]
    return start + parts.join('; ')
  })
  return lines.find((line) => line.length <= columns) ?? cut(lines.at(-1)!, columns)
}

/** From the id itself to the first word of its family: the glob that it falls under. */
const coarser: ((id: string) => string)[] = [
  (id) => id,
  (id) => id.replace(/@.*$/, '@*'),
  (id) => id.replace(/^([^.]+\.[^.@]+[.@]).*$/, '$1*'),
  (id) => id.replace(/\..*$/, '.*'),
]

function families(ids: readonly string[], family: (id: string) => string): string {
  const counts = new Map<string, string[]>()
  for (const id of ids) {
    const glob = family(id)
    counts.set(glob, [...(counts.get(glob) ?? []), id])
  }
  return [...counts].map(([glob, own]) => (own.length > 1 ? `${glob} (${own.length})` : own[0])).join(', ')
}

function cut(text: string, columns: number): string {
  return text.length > columns ? `${text.slice(0, columns - 1)}…` : text
}
