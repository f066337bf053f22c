import type { Digests, Level, Outcome, Profile, Report } from '../../schemas/types.ts'
import { countAgain, judgeAgain } from '../judge/rejudge.ts'
import { remedyFor } from '../judge/remedies.ts'
import { digestOf, exchangesDigest } from '../model/digests.ts'
import { coveredBy } from './covered.ts'

/** Why a report cannot certify these parts of the service, a line each; none if it can. */
export function certificateProblems(report: Report, asked: readonly Profile[] = []): string[] {
  const { selection, verdict, problems, readOnly, cases, digests, configuration, requirements, resumed = [] } = report
  if (report.explored)
    return ['it was made by explore, which draws calls for a while: only a whole run can be certified']
  const { only, skip, shard } = selection
  const { profiles } = coveredBy(report, asked)
  return [
    ...(shard || cases ? ['it is one shard: merge all of them with report --merge'] : []),
    ...(only.length + skip.length > 0 ? ['it was filtered by --only or --skip: run all of a part'] : []),
    ...(selection.transport
      ? ['it was made over gRPC alone: run without --transport, which examines gRPC as well']
      : []),
    ...(readOnly ? ['it was read-only: what needs a write could not be decided'] : []),
    ...problems.map((problem) => `the run was not whole: ${problem}`),
    ...(profiles.length === 0 ? [`its verdict is ${verdict}, and no part of the service is conformant`] : []),
    ...profiles.flatMap((profile) => whyNot(report, profile)),
    ...resumed.flatMap(({ told }) => {
      const others = requirements.filter(({ id, profile }) => told.includes(id) && profile !== 'time')
      return others.map(({ id }) => `${id} is from a later run, which decides about time alone`)
    }),
    ...(digests && configuration ? [] : ['it carries no digests: it was made by an older suite']),
  ]
}

/** Why one part of the service is not certified, and what can be done about it. */
function whyNot({ profiles, requirements }: Report, profile: Profile): string[] {
  const verdict = profiles.find((each) => each.profile === profile)?.verdict
  if (verdict === 'conformant') return []
  if (verdict === undefined) return [`it does not examine the part ${profile}`]
  const own = requirements.filter((one) => one.profile === profile && one.level === 'must')
  const blocking = own.filter(({ outcome }) => !['pass', 'not offered'].includes(outcome))
  const some = blocking.slice(0, 3).map(({ id }) => id)
  const more = blocking.length > 3 ? `, and ${blocking.length - 3} more` : ''
  const open = blocking.filter(({ outcome }) => outcome === 'inconclusive')
  const ways = [...new Set(open.map((one) => remedyFor(one, verdict)))]
  return [
    `its verdict is ${verdict} for ${profile}${some.length > 0 ? `: ${some.join(', ')}${more}` : ''}${ways.length > 0 ? ` (${ways.join('; ')})` : ''}`,
  ]
}

/** Where a report contradicts itself, a line each: digests, counts and verdicts are computed again from its records. */
export function contradictions(report: Report): string[] {
  const { digests, configuration, verdict, totals, profiles, resumed = [] } = report
  const wrong = (what: string, stated: unknown, found: unknown) =>
    digestOf(stated) === digestOf(found) ? [] : [`${what} is ${brief(stated)}, but comes to ${brief(found)}`]
  return [
    ...impossible(report),
    ...wrong('the verdict', verdict, judgeAgain(report)),
    ...wrong('the counts', totals, countAgain(report)),
    ...wrong(
      'the parts of the service',
      profiles.map(({ profile }) => profile).sort(),
      [...new Set(report.requirements.map(({ profile }) => profile))].sort(),
    ),
    ...profiles.flatMap(({ profile, verdict: stated, ...counts }) => {
      const requirements = report.requirements.filter((one) => one.profile === profile)
      const own = { ...report, requirements, selection: { ...report.selection, profiles: [profile] } }
      return [
        ...wrong(`the verdict of ${profile}`, stated, judgeAgain(own)),
        ...wrong(`the counts of ${profile}`, counts, countAgain(own)),
      ]
    }),
    ...(digests
      ? [
          ...resumed.flatMap((part) => [
            ...wrong('the suite of a later part', part.digests?.suite, digests.suite),
            ...wrong('the contract of a later part', part.digests?.contract, digests.contract),
          ]),
          ...wrong('the digest of the suite', digests.suite, digestOf(digests.files)),
          ...wrong('the digest of the exchanges', digests.exchanges, exchangesDigest(report)),
          ...wrong('the digest of the configuration', digests.configuration, digestOf(configuration)),
        ]
      : []),
  ]
}

/** What may become of a requirement of each level. */
const possible: Record<Level, readonly Outcome[]> = {
  must: ['pass', 'fail', 'inconclusive', 'not offered', 'error'],
  should: ['pass', 'warning', 'inconclusive', 'not offered', 'error'],
  observe: ['observed', 'inconclusive', 'not offered', 'error'],
}

/** Rows with an outcome that no run gives them: a must that only warns would be left out of the verdict. */
function impossible({ requirements }: Report): string[] {
  return requirements
    .filter(({ level, outcome }) => !possible[level].includes(outcome))
    .slice(0, 10)
    .map(({ id, level, outcome }) => `${id} is a ${level}, which cannot end as ${outcome}`)
}

/** Where a report was made by a different suite, or leaves out some requirements of this one. */
export function strangeness(
  report: Report,
  suite: {
    version: string
    ids: readonly string[]
    parts?: Readonly<Record<string, Profile>>
    levels?: Readonly<Record<string, Level>>
  } & Pick<Digests, 'files' | 'contract'>,
): string[] {
  if (report.suite.version !== suite.version) return []
  const there = new Set(report.requirements.map(({ id }) => id))
  const { profiles } = report.selection
  // a run of some parts holds no requirement of others
  const isAsked = (id: string) => profiles.length === 0 || profiles.includes(suite.parts?.[id] ?? 'core')
  const lost = suite.ids.filter((id) => !there.has(id) && isAsked(id))
  const ids = new Set(suite.ids)
  const invented = [...there].filter((id) => !ids.has(id))
  const { levels = {}, parts = {} } = suite
  const changed = report.requirements.flatMap(({ id, level, profile }) => [
    ...(levels[id] === undefined || levels[id] === level
      ? []
      : [`${id} is a ${level}, and a ${levels[id]} in the suite`]),
    ...(parts[id] === undefined || parts[id] === profile
      ? []
      : [`${id} belongs to ${parts[id]}, and not to ${profile}`]),
  ])
  const twice = report.requirements.length - there.size
  return [
    ...(lost.length > 0 ? [`${lost.length} requirements of the suite are missing, such as ${lost[0]}`] : []),
    ...(invented.length > 0
      ? [`${invented.length} requirements do not belong to the suite, such as ${invented[0]}`]
      : []),
    ...changed.slice(0, 10),
    ...(twice > 0 ? [`${twice} requirements are listed twice`] : []),
    ...(report.digests && report.digests.contract !== suite.contract
      ? [`the contract differs from that of version ${suite.version}`]
      : []),
    ...(report.digests && report.digests.suite !== digestOf(suite.files)
      ? [
          `the files of the suite differ from those of this version ${suite.version}: ${filesThatDiffer(report.digests.files, suite.files)}`,
        ]
      : []),
  ]
}

/** Which files of the suite differ, a few of them by name. */
function filesThatDiffer(then: Digests['files'], now: Digests['files']): string {
  const paths = [...new Set([...Object.keys(then), ...Object.keys(now)])].sort()
  const differing = paths.filter((path) => then[path] !== now[path])
  const how = (path: string) => (!(path in then) ? ' (new)' : path in now ? '' : ' (gone)')
  const named = differing.slice(0, 5).map((path) => path + how(path))
  return `${named.join(', ')}${differing.length > 5 ? `, and ${differing.length - 5} more` : ''}`
}

function brief(value: unknown): string {
  return typeof value === 'string' ? value : JSON.stringify(value)
}
