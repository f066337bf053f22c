import type { RecordedCall } from '../../schemas/types.ts'
import type { Shown } from '../arrange/model-answers.ts'
import { askHistory } from '../generate/histories.ts'
import { widerSteps } from '../generate/steps/wider-steps.ts'
import type { Exchange } from '../http/exchange.ts'
import type { Finding } from '../model/judging.ts'
import { modelRows } from '../model/rows.ts'
import { Coverage } from './coverage.ts'
import { hoisted, isAbout, recorded, renumbered, whole } from './recorded.ts'
import { saidBy } from './recorder.ts'
import { sendAgain } from './send-again.ts'
import { shrunk } from './shrink.ts'
import { slices } from './slice.ts'
import { type Ground, isOfTarget, Stage } from './stage.ts'

/** A row that does not hold, with the fewest calls that show it. */
export interface Find {
  finding: Finding
  calls: RecordedCall[]
  /** The same calls with their answers. */
  exchanges: Exchange[]
  /** How many calls showed it at first. */
  drawn: number
  /** Whether they showed it again in a fresh group. */
  reproduced: boolean
}

/** Where histories take place, and when they end. */
export interface Exploration {
  /** A ground with room for another throw-away group. */
  ground(): Promise<Ground>
  /** True once no more histories may begin. */
  isOver(): boolean
  /** True once no more calls may be sent. */
  isInterrupted(): boolean
  /** When histories stop beginning, on the clock of `performance.now()`. */
  end: number
  /** Called when something was found, and occasionally in between. */
  changed(): void
}

/** How long a target may lag while a finding is shrunk, in milliseconds; R52 judges the result. */
const briefly = 400
/** How long one finding is shrunk at most, and by how much that may exceed the end, in milliseconds. */
const [longest, grace] = [120_000, 30_000]
/** How often the calls of a finding are sent again at most. */
const mostTries = 400

const isMust = new Set(modelRows.flatMap(({ id, level }) => (level === 'must' ? [id] : [])))

type Shows = (part: readonly RecordedCall[]) => Promise<boolean>

/** Calls that showed a row again, with what else they showed. */
interface Shortest {
  part: readonly RecordedCall[]
  shown: Shown[]
  exchanges: Exchange[]
}

/** Draws histories, lets the model judge every answer, and shrinks what it finds. */
export class Explorer {
  readonly coverage = new Coverage()
  readonly finds = new Map<string, Find>()
  /** How often each row was judged. */
  readonly met = new Map<string, number>()
  histories = 0
  /** What is being shrunk, and how many calls it still takes. */
  shrinking: { row: string; calls: number } | undefined
  readonly #exploration: Exploration

  constructor(exploration: Exploration) {
    this.#exploration = exploration
  }

  /** True once a violated must was found. */
  get foundMust(): boolean {
    return [...this.finds.keys()].some((row) => isMust.has(row))
  }

  /** Draws until it is over. Throws where the target allows no further group. */
  async explore(): Promise<void> {
    while (!this.#exploration.isOver()) await this.#history()
  }

  async #history(): Promise<void> {
    const salt = `explore ${++this.histories}`
    const stage = await Stage.open(await this.#exploration.ground(), {
      salt,
      before: (call, { hearing }) => {
        this.coverage.note(call, hearing.judge.state)
        this.#exploration.changed()
      },
    })
    const known = new Set(this.finds.keys())
    const isOver = () => this.#exploration.isOver() || stage.model.finds(known).length > 0
    await askHistory(stage.driver, 12 + 12 * (this.histories % 3), { besides: widerSteps, isOver })
    const [found] = await stage.finds(known)
    for (const [row, count] of stage.model.hearing.judge.met) this.met.set(row, (this.met.get(row) ?? 0) + count)
    if (found) await this.#keep(stage, found)
    this.#exploration.changed()
  }

  /** Shrinks a finding and keeps it, with the other rows that the same calls break. */
  async #keep(stage: Stage, { finding, exchanges }: Shown): Promise<void> {
    const sent = stage.recorder.until(finding.n)
    const about = new Set(
      sent.flatMap(({ answer }, index) => (finding.about.includes(saidBy(answer).uid ?? '') ? [index + 1] : [])),
    )
    const calls = recorded(sent, stage.known)
    const drawn = calls.length
    const { row } = finding
    // kept at once, whatever happens later
    this.finds.set(row, { finding, calls, exchanges, drawn, reproduced: false })
    const shortest = await this.#shortest(row, calls, about)
    this.shrinking = undefined
    if (shortest === undefined) return
    this.finds.delete(row)
    for (const { finding: one } of shortest.shown) {
      if (this.finds.has(one.row)) continue
      const [part, shows] = [renumbered(shortest.part), shortest.exchanges]
      this.finds.set(one.row, { finding: one, calls: part, exchanges: shows, drawn, reproduced: true })
    }
  }

  /** The fewest calls that show a row again, judged with the patience of R52; undefined where none do. */
  async #shortest(row: string, calls: RecordedCall[], about: ReadonlySet<number>): Promise<Shortest | undefined> {
    const began = performance.now()
    const latest = Math.min(began + longest, Math.max(began, this.#exploration.end) + grace)
    let tries = 0
    const isOver = () => this.#exploration.isInterrupted() || tries > mostTries || performance.now() > latest
    let best: Shortest | undefined
    const shown = async (part: readonly RecordedCall[], patience?: number) => {
      tries++
      this.shrinking = { row, calls: Math.min(part.length, this.shrinking?.calls ?? part.length) }
      this.#exploration.changed()
      const came = await this.#attempt(part, row, patience)
      if (came) best = { part, ...came }
      return came !== undefined
    }
    try {
      const { flags } = await this.#exploration.ground()
      for (const patience of flags.has('lag') ? [undefined] : [briefly, undefined]) {
        best = undefined
        const shows = (part: readonly RecordedCall[]) => shown(part, patience)
        if (!(await shows(calls))) continue
        const part = await this.#shrunk(calls, about, shows, isOver)
        // what was judged briefly must hold with the full patience
        if (patience === undefined || this.#exploration.isInterrupted() || (await shown(part))) return best
      }
    } catch (error) {
      if (best === undefined || !isOfTarget(error)) throw error
    }
    return best
  }

  /** Cuts calls to a slice, removes what is not needed, and nests the rest in as few groups as possible. */
  async #shrunk(calls: RecordedCall[], about: ReadonlySet<number>, shows: Shows, isOver: () => boolean) {
    let start = calls
    for (const slice of slices(calls, about)) {
      if (isOver() || !(await shows(slice))) continue
      start = slice
      break
    }
    return this.#flat(await shrunk(start, { whole, shows, isOver }), shows, isOver)
  }

  /** The calls with as few nested groups as still show it. */
  async #flat(part: readonly RecordedCall[], shows: Shows, isOver: () => boolean): Promise<readonly RecordedCall[]> {
    for (const call of part) {
      // a group that is changed or read itself is part of the story
      const isPlace = call.does === 'create' && call.kind === 'groups' && !part.some((other) => isAbout(other, call))
      if (!isPlace || isOver()) continue
      const flat = hoisted(part, call)
      if (flat.length === 0 || !(await shows(flat))) continue
      return this.#flat(await shrunk(flat, { whole, shows, isOver }), shows, isOver)
    }
    return part
  }

  /** Sends calls in a fresh group; returns everything found if the row is among it. */
  async #attempt(part: readonly RecordedCall[], row: string, patience?: number) {
    const ground = await this.#exploration.ground()
    const stage = await Stage.open(ground, patience === undefined ? {} : { patience })
    await sendAgain(stage, part, ground)
    const exchanges = [...stage.exchanges]
    const shown = await stage.finds()
    const first = shown.filter(({ finding }) => finding.row === row)
    return first.length === 0 ? undefined : { shown: [...new Set([...first, ...shown])], exchanges }
  }
}
