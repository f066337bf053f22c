import { resolve } from 'node:path'
import { sendAgain } from '../../helpers/explore/send-again.ts'
import { isOfTarget, Stage } from '../../helpers/explore/stage.ts'
import type { Values } from '../../helpers/settings/configuration.ts'
import { present } from '../../schemas/present.ts'
import type { ExploredFinding } from '../../schemas/types.ts'
import { Refused } from '../input/refused.ts'
import { makeFolder } from '../run/report-files.ts'
import { type Embedded, openTarget } from '../run/target.ts'
import { Grounds } from './grounds.ts'

/** What became of a finding when its calls were sent again. */
export interface ReplayedFinding {
  /** `untold` where some of its calls could not be sent, or its row was not judged at all. */
  again: 'same' | 'different' | 'gone' | 'untold'
  /** What does not hold now. */
  row?: string
  expected?: string
  got?: string
  /** How many of its calls went out. */
  sent: number
  /** What was left in the target, and the journals that list it. */
  left: string[]
  kept: string[]
}

/** What a replay is given. */
interface ReplayOptions {
  values: Values
  /** The folder for the journal, which is there as long as something is in the target. */
  out: string
  /** Ends the replay: what was made is deleted first. */
  signal?: AbortSignal
  embedded?: Embedded
}

/** Sends the calls of a finding again in a fresh group. Throws `ConfigurationError` or `Refused` if it cannot start. */
export async function replayFinding(
  { row, calls }: ExploredFinding,
  { values, out, signal, embedded }: ReplayOptions,
): Promise<ReplayedFinding> {
  try {
    makeFolder(resolve(out))
  } catch (error) {
    throw new Refused(`The journal cannot be written to ${out}: ${(error as Error).message}`)
  }
  const name = crypto.randomUUID().slice(0, 8)
  const { config, close } = await openTarget(values, embedded, name)
  const grounds = new Grounds(config, out, name)
  const interrupt = () => grounds.interrupt()
  signal?.addEventListener('abort', interrupt)
  try {
    const ground = await grounds.ground()
    const stage = await Stage.open(ground)
    const sent = await sendAgain(stage, calls, ground)
    const shown = (await stage.finds()).map(({ finding }) => finding)
    const now = shown.find((finding) => finding.row === row) ?? shown[0]
    const isJudged = stage.model.met(row) > 0 && sent === calls.length
    await grounds.close()
    const { left, kept } = grounds
    const again = now?.row === row ? 'same' : now ? 'different' : isJudged ? 'gone' : 'untold'
    const { row: shows, expected, got } = now ?? {}
    return { again, sent, left, kept, ...present({ row: shows, expected, got }) }
  } catch (error) {
    if (!isOfTarget(error)) throw error
    await grounds.close()
    throw new Refused([`The calls could not be sent: ${error.message}`, ...grounds.leftLines()].join('\n'))
  } finally {
    signal?.removeEventListener('abort', interrupt)
    await grounds.close()
    await close()
  }
}
