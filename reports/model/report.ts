import type { Exchange } from '../../helpers/http/exchange.ts'
import type { Level, Profile } from '../../helpers/requirement/header.ts'
import type { Selection } from '../../helpers/requirement/selection.ts'
import type { Target } from '../../helpers/settings/configuration.ts'
import { keepEvidence, mostOfStory } from '../judge/evidence.ts'
import type { Case, Outcome, Row } from '../judge/outcome.ts'
import { type Counts, count, judge, profileOf, type Verdict } from '../judge/verdict.ts'
import { type Contract, statementsCited } from '../text/contract.ts'
import type { BaselineReport } from './baseline.ts'
import type { Digests } from './digests.ts'

/** One requirement in the report, as `schemas/report.json` describes it. */
export interface Requirement {
  id: string
  /** What it was called in earlier releases. */
  formerly?: readonly string[]
  level: Level
  profile: Profile
  statement: string
  says: string
  /** The contract's section, such as '4 Lists'. */
  section: string
  outcome: Outcome
  note?: string
  expected?: string
  got?: string
  where?: string
  blockedBy?: string
  observed?: string
  /** How much it met of what it is about: '12 pages, 3 ties'. */
  met?: string
  /** How a failure that needs a history comes about, in plain words. */
  steps?: string[]
  /** Only for what did not pass, unless a run is asked to show all. */
  exchanges?: Exchange[]
  /** How many calls it made, shared arrangement left out. */
  requests: number
  /** When the case began, an RFC 3339 time; absent where it never did. */
  startedAt?: string
  ms: number
}

/** One part of the service with its own verdict. */
export interface ProfileReport extends Counts {
  profile: Profile
  verdict: Verdict
}

/** A later run that went on with an earlier one, and what was taken from it. */
export interface ResumedPart {
  startedAt: string
  durationMs: number
  seed: number
  exchangesSent: number
  /** The requirements that it told. */
  told: string[]
  digests?: Omit<Digests, 'files'>
}

/** A run as a certificate. */
export interface Report {
  reportVersion: 1
  verdict: Verdict
  profiles: ProfileReport[]
  requirements: Requirement[]
  totals: Counts
  target: Pick<Target, 'name' | 'version' | 'baseUrl' | 'apiVersion' | 'embedded'>
  suite: { name: string; version: string }
  node: string
  startedAt: string
  durationMs: number
  seed: number
  selection: Selection
  exchangesSent: number
  /** What kept the run from being whole: specs that did not load, an interruption. */
  problems: string[]
  /**
   * Statements of the contract that no requirement of this run cites: the verdict says nothing of them. `outside` is
   * why no black box can check one at all: it stands outside the certificate.
   */
  notExamined: { id: string; text: string; outside?: string }[]
  /** The words of what the requirements cite: statements, then rulings, in the contract's order. */
  cited: { id: string; text: string }[]
  /** What the run made and could not delete. */
  left: string[]
  /** Set where nothing was written. */
  readOnly?: true
  /** The throw-away groups that stay because their cases did not pass, for the operator to look at. */
  kept?: { id: string; uid: string }[]
  /** The name under which the run left page tokens for another one, days later. */
  resumable?: string
  /** The run with which this one went on. */
  resumes?: string
  /** What runs told later that went on with this one. */
  resumed?: ResumedPart[]
  /** The settings of the run, secrets left out. */
  configuration?: Record<string, unknown>
  /** What all of this rests on. */
  digests?: Digests
  /** What a baseline of known deviations makes of the run. */
  baseline?: BaselineReport
  /** Of one shard alone: how its cases ended, before anybody is blamed; merging judges those of all shards. */
  cases?: Case[]
}

/** What a report tells besides its rows. */
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
  > {
  contract: Contract
  /** The statements that no black box can check, each with the reason. */
  untestable: Readonly<Record<string, string>>
  /** What passed shows its exchanges, too. */
  shows?: boolean
}

/** Makes the report of a run: the same rows and facts give the same report. */
export function reportOf(rows: readonly Row[], { contract, untestable, shows = false, ...facts }: Facts): Report {
  const profiles = [...new Set(rows.map(profileOf))]
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
    requirements: rows.map((row) => requirementOf(row, contract, shows)).sort(inContractOrder),
  }
}

/** Requirements by what they share, in the order in which it is first met. */
export function groupBy<Of = Requirement>(
  requirements: readonly Of[],
  shared: (requirement: Of) => string,
): Map<string, Of[]> {
  const groups = new Map<string, Of[]>()
  for (const requirement of requirements) {
    const key = shared(requirement)
    groups.set(key, [...(groups.get(key) ?? []), requirement])
  }
  return groups
}

function requirementOf(row: Row, contract: Contract, shows: boolean): Requirement {
  const { header, exchanges, requests, startedAt, ms, outcome, ...told } = row
  const needless = !shows && (outcome === 'pass' || outcome === 'observed')
  const proof = needless ? [] : keepEvidence(exchanges, row.steps && mostOfStory)
  return {
    id: header.id,
    ...(header.formerly ? { formerly: header.formerly } : {}),
    level: header.level,
    profile: profileOf(row),
    statement: header.statement,
    says: header.says,
    section: sectionOf(header.statement, contract),
    outcome,
    ...told,
    ...(proof.length > 0 ? { exchanges: proof } : {}),
    requests,
    ...(startedAt === undefined ? {} : { startedAt }),
    ms,
  }
}

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
    .map(({ id, text }) => ({ id, text, ...(id in untestable ? { outside: untestable[id]! } : {}) }))
}

/** The statements and rulings that the run's requirements cite. */
function citedBy(rows: readonly Row[], { statements, rulings }: Contract): Report['cited'] {
  const cited = new Set(rows.flatMap(({ header }) => statementsCited(header.statement)))
  const all = [...statements.values(), ...rulings.values()]
  return all.filter(({ id }) => cited.has(id)).map(({ id, text }) => ({ id, text }))
}

/** The section of the contract that a citation stems from, such as '4 Endpoints'. */
export function sectionOf(citation: string, { sections, statements }: Contract): string {
  const first = statementsCited(citation).find((id) => statements.has(id))
  const section = sections.find(({ number }) => number === statements.get(first ?? '')?.section)
  return section ? `${section.number} ${section.title}` : 'Rulings'
}

function shownTarget({ name, version, baseUrl, apiVersion, embedded }: Report['target']): Report['target'] {
  return { name, version, baseUrl, apiVersion, embedded }
}
