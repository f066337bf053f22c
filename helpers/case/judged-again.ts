import type { TestContext } from 'vitest'
import { apiOver } from '../api/api.ts'
import type { KindName } from '../api/kinds.ts'
import { firstChange } from '../arrange/confirmed-by-rereading.ts'
import { Age } from '../arrange/eventually.ts'
import { strangersIn } from '../arrange/listings.ts'
import type { Run } from '../arrange/run.ts'
import { descendantsOf, makeScratch, type RunGroup, type Scratch } from '../arrange/scratch.ts'
import type { Shared } from '../arrange/shared.ts'
import { isViolation } from '../assertions/violation.ts'
import { Inconclusive, Lost, Stopped } from '../http/case-errors.ts'
import type { Exchange } from '../http/exchange.ts'
import { wasSentAgain } from '../http/waits.ts'

type Task = TestContext['task']

const ages = new WeakMap<Task, Age>()

/** The age of what a case reads. */
function ageOf(task: Task): Age {
  const age = ages.get(task) ?? new Age()
  ages.set(task, age)
  return age
}

/** Notes for a case the age of something shared; true where that is younger than lists may lag. */
export function noteAge(
  task: Task,
  { at = Number.NEGATIVE_INFINITY }: Pick<Shared<unknown>, 'at'>,
  { patience }: Run,
): boolean {
  ageOf(task).written(at)
  return at + patience.readings > performance.now()
}

/** A throw-away group for one case, whose age counts for it. */
export async function openScratch(run: Run, runGroup: RunGroup, evidence: Exchange[], task: Task): Promise<Scratch> {
  const api = apiOver(run, { phase: 'arrange', exchanges: evidence })
  const scratch = await makeScratch(api, { ...run, runGroup, age: ageOf(task) })
  task.meta.rmapi = { ...task.meta.rmapi!, scratch: scratch.uid }
  noteListed(task, 'groups', scratch, run)
  return scratch
}

/** For how long what is beside a kind must stay as it is until a mismatch counts, in milliseconds (R24, R50). */
export const patienceBeside =
  (kind: KindName, { model, patience }: Pick<Run, 'model' | 'patience'>) =>
  (): number =>
    model.othersMove(kind) ? patience.readings : 0

const moving = new WeakMap<Task, (() => Promise<boolean>)[]>()

/** Notes for a case how to see whether the target moved its own things beside what the case reads (R50). */
export function noteStrangers(task: Task, haveMoved: () => Promise<boolean>): void {
  moving.set(task, [...(moving.get(task) ?? []), haveMoved])
}

/** How often things of the target's own may move while a case reads what is beside them. */
const mostMoves = 6

/** Judges a case, and again where the target moved its own things beside what was read (R50). */
function judgedAtRest<Context>(judge: (context: Context & Given) => unknown) {
  return async (context: Context & Given) => {
    let given: (Context & Given) | undefined = context
    let since = Number.NEGATIVE_INFINITY
    for (let tries = 1; ; tries++) {
      const { task, skip, run, evidence = [] }: Given = given
      const sent = evidence.length
      try {
        return await judge(given)
      } catch (error) {
        const isConcerned = isViolation(error) || error instanceof Stopped
        const moved = isConcerned ? await Promise.all((moving.get(task) ?? []).map((haveMoved) => haveMoved())) : []
        // what was read before all cases cannot be read again
        if (isConcerned && tries > 1 && evidence.length === sent) skip(moves)
        const haveTimes = isConcerned && isOfLists(task) && run !== undefined && run.model.lastOwnMove > since
        if (!moved.includes(true) && !haveTimes) throw error
        if (tries === mostMoves) skip(moves)
        since = performance.now()
        // what it wrote before would be in its way
        if (!evidence.every(isReading)) given = await withNewScratch(given)
        if (given === undefined) return skip(moves)
      }
    }
  }
}

const moves = 'this target moved things, or their updateTimes, while lists of them were read'

/** True for a case about lists: without an order, they may go by the last change (R22). */
const isOfLists = ({ name }: Task) => /^(grpc\.)?list\./.test(name)

/** The same with a new scratch group, if the case has one. */
async function withNewScratch<Context>(context: Context & Given): Promise<(Context & Given) | undefined> {
  const { scratch, run, runGroup, evidence, task } = context
  if (!scratch || !run || !runGroup || !evidence) return undefined
  const fresh = await openScratch(run, runGroup, evidence, task)
  return Object.create(context as object, { scratch: { value: fresh } }) as Context & Given
}

/**
 * Notes for a case what it lists. A walk that counts results may lose or repeat one where others come and go, which is
 * only a warning of the cases about that (R22).
 */
export function noteListed(task: Task, kind: KindName, { uid }: { uid: string }, run: Run): void {
  if (!isOfLists(task)) return
  const [api, scope] = [apiOver(run, { phase: 'arrange', exchanges: [] }), descendantsOf(uid)]
  const look = () => strangersIn({ kind, scope, items: [] }, api, run.journal)
  noteStrangers(task, async () => {
    const patience = patienceBeside(kind, run)()
    return patience > 0 && (await firstChange(await look(), look, String, patience)) !== undefined
  })
}

class TooFew extends Inconclusive {}

/** Ends a case that found too little, unless it may find more once what it reads is old. */
export function tooFew(why: string, task: Task, skip: (note: string) => void): void {
  if (ageOf(task).waits) skip(why)
  throw new TooFew(why)
}

/** What this needs of a body's fixtures. */
interface Given {
  task: Task
  skip: (note: string) => void
  run?: Run
  runGroup?: RunGroup
  evidence?: Exchange[]
  scratch?: Scratch
}

/**
 * Judges a case, and if it fails on readings of something younger than lists may lag, judges it again once that is old
 * (R52). So it is once where the answer to a write was lost (R56). It gets a new scratch group, because the first attempt
 * has left something in the old one.
 */
export function judgedWhenOld<Context>(body: (context: Context) => unknown): (context: Context) => unknown {
  const judge = async (context: Context & Given) => {
    const { task, run, skip, evidence = [] } = context
    const began = performance.now()
    const given = evidence.length
    try {
      return await body(context)
    } catch (error) {
      if (isViolation(error) && evidence.some(isLostPage)) skip(lostPage)
      const fresh = error instanceof Lost ? await withNewScratch(context) : undefined
      if (fresh) return body(fresh)
      if (mayBeTwice(error) && evidence.some(wasSentAgain)) {
        // what cases share is not made again
        if (evidence.slice(0, given).some(wasSentAgain)) skip(sentAgain)
        return onceMore(context)
      }
      const age = ageOf(task)
      const patience = run?.patience.readings ?? 0
      if (!evidence.every(isReading) || !age.excuses(error, began, patience)) {
        if (error instanceof TooFew) skip(error.message)
        throw error
      }
      return body(await again(context))
    }
  }
  /** A proxy may answer 503 in the place of a target that has done the write: rarely twice in one case. */
  const onceMore = async (context: Context & Given) => {
    const { evidence = [], skip } = context
    const before = evidence.length
    try {
      return await body(await again(context))
    } catch (error) {
      if (mayBeTwice(error) && evidence.slice(before).some(wasSentAgain)) skip(sentAgain)
      throw error
    }
  }
  // the runner reads in its source which fixtures a body needs
  return Object.assign(judgedAtRest(judge) as (context: Context) => unknown, { toString: () => body.toString() })
}

/** True for what a write that took effect twice may explain. */
const mayBeTwice = (error: unknown) => isViolation(error) || error instanceof Stopped

/** True for arranging, and for a reading with a good token: a lag of lists explains nothing else. */
const isReading = ({ phase, operation, request, response }: Exchange) =>
  phase === 'arrange' ||
  ((request.method === 'GET' || /^grpc\..*\.(list|get)$/.test(operation)) &&
    ![401, 403].includes(response?.status ?? 0))

/** True where no answer came to a page: asked for again, a cursor that the server holds may have gone on (R11, R56). */
const isLostPage = ({ request, response }: Exchange) => response === undefined && request.url.includes('page_token=')

const sentAgain = 'a write was answered 503 and made again, so that it may have taken effect twice (R43)'

const lostPage = 'the answer to a page was lost on the way, and its page token may work only once'

async function again<Context>(context: Context & Given): Promise<Context> {
  const { run, task } = context
  const age = ageOf(task)
  await age.grown(run?.patience.readings ?? 0)
  age.waits = true
  return (await withNewScratch(context)) ?? context
}
