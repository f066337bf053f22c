import type { Selection } from '../../helpers/requirement/selection.ts'
import { present } from '../../schemas/present.ts'
import type { Case, Counts, Header, Profile, Stop, Verdict } from '../../schemas/types.ts'
import { blamed, judged, plainRow, type Row } from './outcome.ts'
import { rootsFirst } from './root-causes.ts'
import { withMissingRight } from './token-rights.ts'

/** What the verdict depends on besides the rows. */
export interface Circumstances {
  selection: Selection
  /** Specs that failed to load, and whatever else kept the run from being whole. */
  problems: readonly string[]
  /** Set if nothing was written: what needs a write could not be examined. */
  readOnly?: true
}

type Stopped = Case & { ending: { how: 'stopped'; stop: Stop; note: string; where?: string } }

const isStopped = (each: Case): each is Stopped => each.ending.how === 'stopped'

/** The requirement that answers for an operation. */
const answersFor = (stop: Stop) => `${stop.operation}.answers`

/** True if the refusal may be for reasons that the contract leaves open (R43, R56). */
function isSoft({ status = 0, code = 0, distrusted }: Stop): boolean {
  const soft = [401, 403, 409, 429, 502, 503, 504].includes(status) || status > 511 || [6, 7, 8, 9, 10].includes(code)
  return soft || distrusted !== undefined
}

/**
 * The rows of a run's cases: a refused call is blamed on one requirement, and all others that it stopped are blocked by
 * it. `catalogue` holds the headers of all requirements, also of those that the run left out.
 */
export function settle(ended: readonly Case[], catalogue: readonly Header[] = []): Row[] {
  const answered = new Set(ended.flatMap((each) => each.answered ?? []))
  const cases = ended.map((each) => offeredAfterAll(missingAfterAll(each, answered), answered))
  const { isRed, inCircle } = redOf(cases)
  // a refusal that the contract leaves open makes nothing red that could be mended first
  const blocks = ({ header, ending: { stop } }: Stopped) =>
    (stop.phase === 'arrange' && !isSoft(stop)) || (isRed(answersFor(stop)) && !inCircle(header.id))
  const accused = new Set<Row>()
  const rows = cases.map((each) => {
    const row = withMissingRight(isStopped(each) ? stoppedRow(each, blocks(each)) : plainRow(each), each, answered)
    const witnesses = cases.filter(isStopped).filter((other) => accuses(other, each.header.id))
    const alreadyRed = row.outcome === 'fail' || row.outcome === 'warning'
    if (witnesses.length === 0 || alreadyRed || each.header.level === 'observe') return row
    const turned = accusedRow(each, witnesses)
    accused.add(turned)
    return turned
  })
  return rootsFirst(rows, accused, catalogue)
}

/** What was answered as missing, and answered nowhere in the run, is not offered (R49). */
function missingAfterAll(each: Case, answered: ReadonlySet<string>): Case {
  if (!isStopped(each)) return each
  const { operation, absent, status } = each.ending.stop
  if (!absent || answered.has(operation)) return each
  // in the words of a case that expected it
  const note = `this target does not offer ${operation}: it was answered ${status}`
  return { ...each, ending: { how: 'missing', operations: [operation], note } }
}

/**
 * What answered anywhere in the run is offered (R49): a case that missed it is inconclusive, and the requirement that
 * answers for the operation is judged as by any other refusal.
 */
function offeredAfterAll(each: Case, answered: ReadonlySet<string>): Case {
  const { ending, header } = each
  if (ending.how !== 'missing') return each
  const operation = ending.operations.find((one) => answered.has(one))
  if (operation === undefined) return each
  const note = `${ending.note}, and yet ${operation} answered elsewhere in this run`
  const stop: Stop = {
    operation,
    phase: 'act',
    why: 'is missing here, and answered elsewhere in this run',
    status: 404,
  }
  const isItsOwn = header.id === answersFor(stop)
  return { ...each, ending: isItsOwn ? { how: 'stopped', note, stop } : { how: 'untold', note } }
}

/** True if a case shows, while it arranges, that the requirement with that id does not hold. */
function accuses(each: Case, id: string): boolean {
  if (!isStopped(each) || each.header.id === id) return false
  const { stop } = each.ending
  return answersFor(stop) === id && stop.phase === 'arrange' && !isSoft(stop)
}

/**
 * Which requirements are red. An `answers` case that another operation stopped while it acted is red unless
 * that operation's own is; if such cases blame each other in a circle, all of them are.
 */
function redOf(cases: readonly Case[]) {
  const byId = new Map(cases.map((each) => [each.header.id, each]))
  const redByItself = (id: string): boolean => {
    const each = byId.get(id)
    if (each === undefined || each.header.level === 'observe') return false
    if (each.ending.how === 'violated' || cases.some((other) => accuses(other, id))) return true
    return isStopped(each) && answersFor(each.ending.stop) === id && !isSoft(each.ending.stop)
  }
  const blames = (id: string): string | undefined => {
    const each = byId.get(id)
    if (each === undefined || !isStopped(each) || each.header.level === 'observe') return undefined
    const answers = answersFor(each.ending.stop)
    const { stop } = each.ending
    return stop.phase === 'act' && answers !== id && !isSoft(stop) && !redByItself(id) ? answers : undefined
  }
  const inCircle = (id: string): boolean => {
    const seen = new Set<string>()
    for (let on = blames(id); on !== undefined && !seen.has(on); on = blames(on)) seen.add(on)
    return seen.has(id)
  }
  const isRed = (id: string): boolean => {
    const other = blames(id)
    return redByItself(id) || (other !== undefined && (inCircle(id) || !isRed(other)))
  }
  return { isRed, inCircle }
}

function stoppedRow(each: Stopped, blocked: boolean): Row {
  const { header, ending } = each
  const { how: _, stop, ...said } = ending
  const answers = answersFor(stop)
  const inconclusive = { ...said, outcome: 'inconclusive' as const }
  if (answers !== header.id && blocked) return judged(each, { ...inconclusive, blockedBy: answers })
  if (header.level === 'observe' || isSoft(stop)) return judged(each, inconclusive)
  return judged(each, { ...said, ...claimOf(stop), outcome: blamed(header) })
}

const claimOf = ({ operation, why }: Stop) => ({ expected: `${operation} succeeds`, got: why })

function accusedRow(each: Case, witnesses: readonly Stopped[]): Row {
  const first = witnesses[0]!
  const { stop } = first.ending
  const proof = first.exchanges.findLast(({ operation, phase }) => operation === stop.operation && phase === 'arrange')
  const more = witnesses.length > 1 ? ` (and ${witnesses.length - 1} more)` : ''
  const judgement = {
    ...present({ where: first.ending.where }),
    outcome: blamed(each.header),
    note: `answered wrongly while ${first.header.id}${more} was arranged: ${first.ending.note}`,
    ...claimOf(stop),
  }
  return judged(proof ? { ...each, exchanges: [proof] } : each, judgement)
}

/** Counts rows by level and outcome; what is not offered is in no total (R49). */
export function count(rows: readonly Row[]): Counts {
  const counts: Counts = {
    must: { passed: 0, total: 0 },
    should: { passed: 0, total: 0 },
    observed: 0,
    inconclusive: 0,
    error: 0,
  }
  const notOffered = rows.filter(({ outcome }) => outcome === 'not offered').length
  for (const { header, outcome } of rows) {
    if (outcome === 'not offered') continue
    if (header.level !== 'observe') {
      counts[header.level].total++
      if (outcome === 'pass') counts[header.level].passed++
    }
    if (outcome === 'observed' || outcome === 'inconclusive' || outcome === 'error') counts[outcome]++
  }
  return notOffered > 0 ? { ...counts, notOffered } : counts
}

/**
 * The verdict. In each profile that the selection names a must has to pass, or else in core; where `--only` picks ids, in
 * one of their profiles. Where ids are picked and no must is among them, it is enough that something was decided. What is
 * not offered counts nowhere (R49).
 */
export function judge(all: readonly Row[], { selection, problems, readOnly }: Circumstances): Verdict {
  const picked = selection.only.length > 0 || selection.skip.length > 0
  const rows = all.filter(({ outcome }) => outcome !== 'not offered')
  const some = (level: string, outcome: string) =>
    rows.some((row) => row.header.level === level && row.outcome === outcome)
  if (some('must', 'fail')) return 'nonconformant'
  if (problems.length > 0 || rows.some(({ outcome }) => outcome === 'error')) return 'undetermined'
  const present = [...new Set(rows.map(profileOf))]
  const isOfPicked = selection.only.length > 0 || (picked && !present.includes('core'))
  const named = selection.profiles
  const isDecidedIn = (profile: string) => isDecided(ofProfile(rows, profile), picked)
  const isEnough = isOfPicked ? present.some(isDecidedIn) : isDecidedIn('core')
  if (!(named.length > 0 ? named.every(isDecidedIn) : isEnough)) return 'undetermined'
  const part = picked || readOnly === true || selection.shard !== undefined
  return part || some('must', 'inconclusive') ? 'partial' : 'conformant'
}

/** The profile of a row: core unless its header says otherwise. */
export function profileOf({ header }: Row): Profile {
  return header.profile ?? 'core'
}

const ofProfile = (rows: readonly Row[], profile: string) => rows.filter((row) => profileOf(row) === profile)

function isDecided(rows: readonly Row[], picked: boolean): boolean {
  const musts = rows.filter(({ header }) => header.level === 'must')
  if (musts.length > 0 || !picked) return musts.some(({ outcome }) => outcome === 'pass')
  return rows.some(({ outcome }) => ['pass', 'warning', 'observed'].includes(outcome))
}

/** The last line of a run, never coloured, always of this form. */
export function verdictLine(verdict: Verdict, { must, should, observed, inconclusive, error }: Counts): string {
  const levels = `must=${must.passed}/${must.total} should=${should.passed}/${should.total}`
  return `VERDICT ${verdict} ${levels} observed=${observed} inconclusive=${inconclusive} error=${error}`
}

/** The exit code of a run with a target: 5 only if nothing is worse; `stale`: baseline entries that no longer fit. */
export function exitCodeOf(
  verdict: Verdict,
  { complete, left, stale = 0 }: { complete: boolean; left: number; stale?: number },
): 0 | 1 | 3 | 4 | 5 {
  if (verdict === 'nonconformant') return 1
  if (stale > 0) return 4
  if (verdict === 'undetermined' || (verdict === 'partial' && complete)) return 3
  return left > 0 ? 5 : 0
}
