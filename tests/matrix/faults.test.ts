import { describe, expect, test, vi } from 'vitest'
import { collectHeaders } from '../../cli/input/collect.ts'
import { everything } from '../../cli/input/selections.ts'
import { matchesGlob } from '../../helpers/requirement/selection.ts'
import type { Fault } from '../../reference/fault.ts'
import { basicFaults } from '../../reference/faults.ts'
import { complaintsOnFault, type Examined, examinedAs } from '../../selftest/judge.ts'
import { combined, drawServers, faultPatience } from '../../selftest/servers.ts'
import { faults, runSuite } from '../support/runs/built.ts'

// one run keeps a core and a half busy
vi.setConfig({ maxConcurrency: 2 })

const ids = (await collectHeaders()).map(({ id }) => id)

/** What the suite says of a server with some faults, asked for some requirements. */
async function examine(some: readonly Fault[], only: readonly string[]): Promise<Examined> {
  const { report } = await runSuite({
    values: { RMAPI_SEED: '1' },
    selection: { ...everything, only: [...only] },
    embedded: { rules: combined(some) },
    patience: faultPatience,
  })
  return examinedAs(report)
}

const missed = (complaints: readonly string[]) => complaints.some((line) => line.startsWith('missed: '))

/** Alone a fault is tried with what it must turn red, then with all that it may, and then with everything. */
async function complaintsOn(fault: Fault): Promise<string[]> {
  const { turnsRed, spreadsTo } = fault
  let complaints: string[] = []
  for (const only of [turnsRed, [...turnsRed, ...spreadsTo, '*.answers'], []]) {
    complaints = complaintsOnFault(fault, await examine([fault], only))
    if (!missed(complaints)) return complaints
  }
  return complaints
}

/** Faults that almost every requirement stumbles over: nothing else is found beside them. */
const isBasic = ({ name, turnsRed }: Fault) =>
  basicFaults.some((basic) => basic.name === name) || turnsRed.some((glob) => glob.endsWith('.answers'))

const namedBy = new Map(
  faults.map((fault) => [fault, new Set(ids.filter((id) => fault.turnsRed.some((glob) => matchesGlob(id, glob))))]),
)

/** True where neither turns red what the other must. */
const mayShare = (one: Fault, other: Fault) =>
  !isBasic(one) && !isBasic(other) && ![...namedBy.get(one)!].some((id) => namedBy.get(other)!.has(id))

/**
 * Faults that decide different things and name different requirements share a server; one that is missed there is
 * examined alone. The matrix examines each alone, and says what else it turns red.
 */
const servers = new Map<Fault, () => Promise<Examined>>()
for (const some of drawServers(faults, { atOnce: 16, mayShare })) {
  let examined: Promise<Examined> | undefined
  const once = () => {
    examined ??= examine(
      some,
      some.flatMap(({ turnsRed }) => turnsRed),
    )
    return examined
  }
  for (const fault of some) servers.set(fault, once)
}

describe.concurrent('the suite finds', () => {
  test.each(faults)('$name', async (fault) => {
    const first = complaintsOnFault(fault, await servers.get(fault)!())
    const complaints = missed(first)
      ? await complaintsOn(fault)
      : first.filter((line) => !line.startsWith('also red: '))

    expect(complaints).toEqual([])
  })
})
