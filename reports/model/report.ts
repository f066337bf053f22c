import { present } from '../../schemas/present.ts'
import type { Report, Requirement } from '../../schemas/types.ts'
import { keepEvidence, mostOfStory } from '../judge/evidence.ts'
import type { Row } from '../judge/outcome.ts'
import { count, judge, profileOf } from '../judge/verdict.ts'
import { type Contract, statementsCited } from '../text/contract.ts'

/** What a report holds besides its rows. */
export interface Facts
  extends Pick<
    Report,
    | 'target'
    | 'suite'
    | 'node'
    | 'startedAt'
    | 'durationMs'
    | 'seed'
    | 'selection'
    | 'exchangesSent'
    | 'problems'
    | 'left'
    | 'readOnly'
    | 'kept'
    | 'resumable'
    | 'resumes'
    | 'cases'
    | 'configuration'
    | 'digests'
    | 'traces'
    | 'explored'
  > {
  contract: Contract
  /** The statements that no black box can check, each with the reason. */
  untestable: Readonly<Record<string, string>>
  /** Keep the exchanges of what passed as well. */
  allExchanges?: boolean
}

/** Makes the report of a run: the same rows and facts give the same report. */
export function reportOf(
  rows: readonly Row[],
  { contract, untestable, allExchanges = false, ...facts }: Facts,
): Report {
  // operations that every server has come first
  const profiles = [...new Set(rows.map(profileOf))].sort((a, b) => Number(b === 'core') - Number(a === 'core'))
  return {
    reportVersion: 1,
    verdict: judge(rows, facts),
    profiles: profiles.map((profile) => {
      const own = rows.filter((row) => profileOf(row) === profile)
      const selection = { ...facts.selection, profiles: [profile] }
      return { profile, verdict: judge(own, { ...facts, selection }), ...count(own) }
    }),
    totals: count(rows),
    ...facts,
    target: shownTarget(facts.target),
    notExamined: unclaimed(rows, contract, untestable),
    cited: citedBy(rows, contract),
    requirements: rows.map((row) => requirementOf(row, contract, allExchanges)).sort(inContractOrder),
  }
}

/** Requirements by what they share, in the order of its first occurrence. */
export function groupBy<Of = Requirement>(
  requirements: readonly Of[],
  shared: (requirement: Of) => string,
): Map<string, Of[]> {
  const groups = new Map<string, Of[]>()
  for (const requirement of requirements) {
    const key = shared(requirement)
    const group = groups.get(key)
    if (group) group.push(requirement)
    else groups.set(key, [requirement])
  }
  return groups
}

function requirementOf(row: Row, contract: Contract, allExchanges: boolean): Requirement {
  const { header, met, exchanges, requests, startedAt, ms, outcome, answered: _, ...said } = row
  const { id, formerly, level, statement, quote, says, alone } = header
  const needless = !allExchanges && (outcome === 'pass' || outcome === 'observed')
  const proof = needless ? [] : keepEvidence(exchanges, row.steps && mostOfStory, row)
  return present({
    id,
    formerly,
    level,
    profile: profileOf(row),
    statement,
    quote,
    says,
    section: sectionOf(statement, contract),
    judges: alone === 'whole run' ? alone : undefined,
    outcome,
    ...said,
    met: met && inWords(met),
    exchanges: proof.length > 0 ? proof : undefined,
    requests,
    startedAt,
    ms,
  })
}

const inWords = (met: Record<string, number>) =>
  Object.entries(met)
    .map(([what, count]) => `${count} ${what}`)
    .join(', ')

/** By section; within one, in the order of the specs. */
function inContractOrder(a: Requirement, b: Requirement): number {
  return a.section.localeCompare(b.section, 'en', { numeric: true })
}

/** The statements that no requirement of the run cites. */
function unclaimed(
  rows: readonly Row[],
  { statements }: Contract,
  untestable: Facts['untestable'],
): Report['notExamined'] {
  const cited = new Set(rows.flatMap(({ header }) => statementsCited(header.statement)))
  return [...statements.values()]
    .filter(({ id }) => !cited.has(id))
    .map(({ id, text }) => present({ id, text, outside: untestable[id] }))
}

/** The statements and rulings that the run's requirements cite. */
function citedBy(rows: readonly Row[], { statements, rulings }: Contract): Report['cited'] {
  const cited = new Set(rows.flatMap(({ header }) => statementsCited(header.statement)))
  const all = [...statements.values(), ...rulings.values()]
  return all.filter(({ id }) => cited.has(id)).map(({ id, text }) => ({ id, text }))
}

/** The section of the contract that a citation comes from, such as '4 Endpoints'. */
export function sectionOf(citation: string, { sections, statements }: Contract): string {
  const first = statementsCited(citation).find((id) => statements.has(id))
  const section = sections.find(({ number }) => number === statements.get(first ?? '')?.section)
  return section ? `${section.number} ${section.title}` : 'Rulings'
}

function shownTarget({ name, version, baseUrl, apiVersion, embedded }: Report['target']): Report['target'] {
  return { name, version, baseUrl, apiVersion, embedded }
}
