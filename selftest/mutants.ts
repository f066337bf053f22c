import { matchesGlob } from '../helpers/requirement/selection.ts'
import type { Assertion } from './assertions.ts'
import type { FaultRow } from './matrix.ts'

/** An assertion that is left out, and the requirements that could miss it. */
export interface Mutant {
  number: number
  assertion: Assertion
  /** The ids of the requirements around it. */
  around: string[]
  /** Those of them that some fault turns red. */
  ids: string[]
}

/** A faulty server that is examined without some assertions, each of other requirements. */
export interface Meeting {
  fault: string
  /** The requirements that are asked for. */
  ids: string[]
  mutants: Mutant[]
}

/** The mutant of an assertion. */
export function mutantOf(
  assertion: Assertion,
  number: number,
  ids: readonly string[],
  faults: readonly FaultRow[],
): Mutant {
  const red = new Set(faults.flatMap((fault) => fault.red))
  const around = ids.filter((id) => assertion.ids.some((glob) => matchesGlob(id, glob)))
  return { number, assertion, around, ids: around.filter((id) => red.has(id)) }
}

/**
 * Lets each mutant meet a fault that it has not met and that its requirements find, as few servers as will do: what
 * stands in different requirements is left out at once, unless each is to be alone.
 */
export function meetingsOf(
  mutants: readonly Mutant[],
  met: ReadonlyMap<Mutant, ReadonlySet<string>>,
  faults: readonly FaultRow[],
  { alone }: { alone: boolean },
): Meeting[] {
  const meetings: Meeting[] = []
  const waiting = new Set(mutants)
  const meets = ({ name, red }: FaultRow, mutant: Mutant) =>
    !met.get(mutant)?.has(name) && mutant.ids.some((id) => red.includes(id))
  const guests = (fault: FaultRow) => [...waiting].filter((mutant) => meets(fault, mutant))
  for (;;) {
    const [fault, some] = faults
      .map((each) => [each, guests(each)] as const)
      // of equals, what turns least red tells most
      .reduce((best, next) => (isBetter(next, best) ? next : best), [faults[0]!, []])
    if (some.length === 0) return meetings
    const together = alone ? some.slice(0, 1) : apart(some)
    for (const mutant of together) waiting.delete(mutant)
    const ids = new Set(together.flatMap((mutant) => mutant.ids.filter((id) => fault.red.includes(id))))
    meetings.push({ fault: fault.name, ids: [...ids], mutants: together })
  }
}

type Choice = readonly [FaultRow, readonly Mutant[]]

const isBetter = ([fault, some]: Choice, [best, most]: Choice) =>
  some.length > most.length || (some.length === most.length && fault.red.length < best.red.length)

/** As many of some mutants as stand in different requirements. */
export function apart(some: readonly Mutant[]): Mutant[] {
  const together: Mutant[] = []
  for (const mutant of some) {
    if (together.every(({ around }) => !around.some((id) => mutant.around.includes(id)))) together.push(mutant)
  }
  return together
}

/** What came of all mutants, as a page to read. */
export function pageOf(mutants: readonly Mutant[], spared: readonly Mutant[], idle: readonly Mutant[]): string {
  return [
    '# What each assertion is for',
    '',
    'Written by `npm run mutation`. Each assertion of the specs is left out in turn, and the requirement around it meets servers',
    'whose faults it finds: where one is no longer found, the assertion is missed. Where all are found without it, by the other',
    'assertions of that requirement, it is turned into its opposite: where that accuses the reference, it does decide something,',
    'and is kept for servers that are wrong there alone. What neither is missed nor decides anything has to go.',
    '',
    figuresOf(mutants, spared, idle),
    '',
    ...(idle.length === 0 ? [] : ['## Decides nothing', '', ...tableOf(idle), '']),
    '## Not missed, and decides',
    '',
    ...tableOf(spared),
    '',
  ].join('\n')
}

/** How many assertions are missed, and how many are not, in a line. */
export function figuresOf(mutants: readonly Mutant[], spared: readonly Mutant[], idle: readonly Mutant[]): string {
  const missed = mutants.length - spared.length - idle.length
  return `${missed} of ${mutants.length} assertions are missed when they are left out, ${spared.length} others accuse the reference when they are negated, ${idle.length} do neither`
}

const tableOf = (some: readonly Mutant[]) => [
  '| spec | requirement | assertion |',
  '| --- | --- | --- |',
  ...some.map(({ assertion }) => lineOf(assertion)),
]

function lineOf({ spec, text, ids }: Assertion): string {
  const shown = text.replace(/\s+/g, ' ').replaceAll('|', '\\|').replaceAll('`', "'")
  return `| ${spec.replace('.js', '.ts')} | \`${ids[0]}\` | \`${shown}\` |`
}
