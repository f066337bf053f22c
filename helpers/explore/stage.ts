import { apiOver } from '../api/api.ts'
import { ownKinds } from '../api/kinds.ts'
import { listedItems } from '../arrange/listings.ts'
import type { ModelAnswers, Shown } from '../arrange/model-answers.ts'
import type { Run } from '../arrange/run.ts'
import { makeScratch, openRunGroup, type RunGroup } from '../arrange/scratch.ts'
import { Driver } from '../generate/driver.ts'
import { askTakenAgain } from '../generate/end/taken-late.ts'
import type { Call, Log } from '../http/call.ts'
import { Inconclusive, Stopped, TargetGone } from '../http/case-errors.ts'
import type { Exchange } from '../http/exchange.ts'
import { forRequirement } from '../http/request.ts'
import type { Known } from './recorded.ts'
import { Recorder } from './recorder.ts'

/** One of the run's groups below the operator's, in which histories take place one after the other. */
export interface Ground {
  run: Run
  runGroup: RunGroup
  /** The uid of each role by its name. */
  roles: ReadonlyMap<string, string>
  /** What was seen of the target so far that excuses findings. */
  flags: Set<string>
}

/** Opens a ground. Throws `Inconclusive` or `Stopped` where the target allows nothing to be made. */
export async function openGround(run: Run, flags: Set<string>): Promise<Ground> {
  const api = apiOver(run, { phase: 'arrange', exchanges: forRequirement([], { id: purpose }) })
  const runGroup = await openRunGroup(api, run)
  const listed = await api.attempt.roles.list({ page_size: 200 }).catch(() => undefined)
  const roles = new Map<string, string>()
  for (const { uid, name } of listed ? listedItems('roles', listed) : [])
    if (typeof name === 'string' && !roles.has(name)) roles.set(name, uid)
  return { run, runGroup, roles, flags }
}

/** The purpose of the calls, as written in the User-Agent. */
const purpose = 'explore'

/** True where the target, not a bug of ours, stops an exploration. */
export const isOfTarget = (error: unknown): error is Error =>
  error instanceof Inconclusive || error instanceof Stopped || error instanceof TargetGone

/** A throw-away group, and a model that knows nothing else. */
export class Stage {
  readonly driver: Driver
  readonly model: ModelAnswers
  readonly exchanges: Exchange[]
  readonly recorder: Recorder
  readonly #ground: Ground

  private constructor(ground: Ground, driver: Driver, log: Log, before?: (call: Call, model: ModelAnswers) => void) {
    this.#ground = ground
    this.driver = driver
    this.model = driver.run.model
    this.exchanges = log.exchanges
    this.recorder = new Recorder(driver.run.client, log, (call) => before?.(call, this.model))
  }

  /**
   * Makes a throw-away group. `salt` decides what is drawn in it, `patience` for how many milliseconds the target may lag,
   * and `before` gets each call that goes out.
   */
  static async open(
    ground: Ground,
    {
      salt = '',
      patience,
      before,
    }: { salt?: string; patience?: number; before?: (call: Call, model: ModelAnswers) => void } = {},
  ): Promise<Stage> {
    const { run, runGroup, flags } = ground
    const model = run.freshModel(patience)
    for (const flag of flags) model.hearing.judge.state.flags.add(flag)
    const arranged: Log = { phase: 'arrange', exchanges: forRequirement([], { id: purpose }) }
    const scratch = await makeScratch(apiOver(run, arranged), { ...run, runGroup })
    const log: Log = { phase: 'act', exchanges: forRequirement([], { id: purpose }) }
    // its own names: the calls are sent again with others
    const driver = new Driver({ ...run, model }, log, scratch.uid, salt)
    return new Stage(ground, driver, log, before)
  }

  /** What has another name in another group. */
  get known(): Known {
    const roles = [...this.#ground.roles].map(([name, uid]) => [uid, `role ${name}`] as const)
    return [[this.driver.scope, 'group'], [this.driver.mark, 'name'], ...roles]
  }

  /**
   * The findings that nothing excuses, except of some rows, after everything that needs it was read again. Plain lists
   * show what the target adds of its own, which may excuse what other queries showed before (R50).
   */
  async finds(without?: ReadonlySet<string>): Promise<Shown[]> {
    await this.model.settled()
    await askTakenAgain(this.driver)
    if (this.model.finds(without).length > 0) await this.driver.frame(ownKinds)
    for (const flag of this.model.hearing.judge.state.flags) this.#ground.flags.add(flag)
    return this.model.finds(without)
  }
}
