import { apiOver } from '../api/api.ts'
import { day, hour, instant, minute } from '../api/instant.ts'
import { isObject, isReceived } from '../api/received.ts'
import { OverflowGroups } from '../arrange/overflow-groups.ts'
import type { Run } from '../arrange/run.ts'
import type { RunGroup } from '../arrange/scratch.ts'
import { sweep } from '../cleanup/sweep.ts'
import { ExchangeRefused } from '../http/access-token.ts'
import { type Answer, answerInWords, type Log, succeeded } from '../http/call.ts'
import { Inconclusive, Stopped, TargetGone } from '../http/case-errors.ts'

/**
 * How far the clock moves while nothing of the run is in the target: as far as the time part moves it
 * later, so that a token still accepted then will most likely live to delete what is made afterwards.
 */
const trial = 74 * hour

const halfAnHour = 30 * minute

/** From there the clock moves on to half an hour before midnight, so that the hour of API tokens ends another day. */
function secondsToLateEvening(now: number): number {
  const midnight = Math.ceil((now + trial + halfAnHour) / day) * day
  return Math.round((midnight - halfAnHour - now) / 1000)
}

/**
 * Deletes everything that the run made, moves the clock for the first time, and opens another scratch group: what was
 * made before is never seen again, and a token that expires with the move leaves nothing behind.
 */
export async function openSecondScratch(run: Run, log: Log): Promise<RunGroup> {
  const { clock, journal, config, names, allAnswers } = run
  const api = apiOver(run, log)
  const shown = await clock.advance(0, log)
  const before = allAnswers.lastDate ?? instantOf(journal.rootCreated)
  // a reading that is made again would find it deleted, which the model does not see
  await run.model.settled()
  const none = { left: ['all of it'], refused: [], sure: false, requests: 0 }
  run.notify({ doing: 'deleting what was made so far, before the clock moves' })
  const { left, refused, sure, requests } = journal.path === undefined ? none : await sweep(config, journal.text())
  run.notify({ doing: '' })
  run.client.wire.sent += requests
  if (!sure) {
    const stayed = [...left, ...refused].join(', ')
    throw new Inconclusive(`what the run made has to go before the clock moves, and stayed: ${stayed}`)
  }
  journal.restart()
  run.model.restart()
  const hookTime = await clock.advance(secondsToLateEvening(shown ?? before ?? Date.now()), log)
  const created = await api.attempt.groups
    .create(journal.operatorsGroup, { name: names.root() })
    .catch((error: Error) => {
      throw error instanceof TargetGone || error instanceof ExchangeRefused ? tokenEnded(error.message) : error
    })
  if (created.status === 401 || created.status === 403) throw tokenEnded(`it was answered ${created.status}`)
  if (!isReceived(created.json) || !journal.made(created.json.uid)) {
    const why = `was answered ${answerInWords(created)}`
    throw new Stopped({ operation: 'group.create', phase: 'arrange', why, status: created.status })
  }
  journal.root = created.json.uid
  if (hookTime === undefined && !hasMoved(before, created)) {
    throw new Inconclusive(
      'the clock hook does not give the time, and neither the Date header nor createTime shows that the clock moved',
    )
  }
  return { uid: created.json.uid, overflow: new OverflowGroups([created.json.uid]) }
}

/** When something was made, or undefined where its time is none. */
const instantOf = (time: unknown) => (Number.isNaN(instant(time)) ? undefined : instant(time))

const tokenEnded = (why: string) =>
  new Inconclusive(
    `the API token ended when the clock was moved by days (${why}): the time part needs one that lives for eleven days`,
  )

/** Whether the target's own answers show that its clock moved: some honest ones get their Date from a gateway. */
function hasMoved(start: number | undefined, after: Answer): boolean {
  const created = isObject(after.json) && succeeded(after) ? instant(after.json.createTime) : Number.NaN
  return [instant(after.headers.date), created].some((end) => end - (start ?? Number.NaN) > trial - hour)
}
