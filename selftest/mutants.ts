import { matchesGlob } from '../helpers/selection.ts'
import type { Assertion } from './assertions.ts'
import type { FaultRow } from './matrix.ts'
import { whyKept } from './why-kept.ts'

/** An assertion that is left out, and the requirements that could miss it. */
export interface Mutant {
  number: number
  assertion: Assertion
  /** Ids of requirements around it that some fault turns red. */
  ids: string[]
}

/** A faulty server that is examined without some assertions, each of other requirements. */
interface Meeting {
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
  return {
    number,
    assertion,
    ids: ids.filter((id) => red.has(id) && assertion.ids.some((glob) => matchesGlob(id, glob))),
  }
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
    const together: Mutant[] = []
    for (const mutant of some) {
      const isFree = together.every((other) => !other.ids.some((id) => mutant.ids.includes(id)))
      if (together.length === 0 || (isFree && !alone)) together.push(mutant)
    }
    for (const mutant of together) waiting.delete(mutant)
    const ids = new Set(together.flatMap((mutant) => mutant.ids.filter((id) => fault.red.includes(id))))
    meetings.push({ fault: fault.name, ids: [...ids], mutants: together })
  }
}

type Choice = readonly [FaultRow, readonly Mutant[]]

const isBetter = ([fault, some]: Choice, [best, most]: Choice) =>
  some.length > most.length || (some.length === most.length && fault.red.length < best.red.length)

/** The assertions that can go without any difference, each with its reason, as a page to read. */
export function pageOf(mutants: readonly Mutant[], kept: readonly Mutant[]): string {
  return [
    '# What each assertion is for',
    '',
    'Written by `npm run mutation`: each assertion of the specs is left out in turn, and the requirement around it meets',
    'servers whose faults it finds. Where all are found without it, it stands here, with the reason why it is kept.',
    '',
    `${mutants.length - kept.length} of ${mutants.length} assertions are missed when they are left out.`,
    '',
    '| spec | requirement | assertion | why it is kept |',
    '| --- | --- | --- | --- |',
    ...kept.map(({ assertion }) => lineOf(assertion)),
    '',
  ].join('\n')
}

function lineOf(assertion: Assertion): string {
  const { spec, text, ids } = assertion
  const shown = text.replace(/\s+/g, ' ').replaceAll('|', '\\|').replaceAll('`', "'")
  return `| ${spec.replace('.js', '.ts')} | \`${ids[0]}\` | \`${shown}\` | ${whyKept(assertion) ?? '**none**'} |`
}
