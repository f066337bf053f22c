import { join } from 'node:path'
import { openRun, type Run } from '../../helpers/arrange/run.ts'
import { type Ground, openGround } from '../../helpers/explore/stage.ts'
import type { Config } from '../../helpers/settings/configuration.ts'
import { headerOf, leftIn, type OpenJournal, openJournal, sweepLine, sweepOwn } from '../run/sweep-journal.ts'

/** How many creates a ground takes before it is swept and another one is opened. */
const mostEntries = 300

/** Opens groups of the run's own one by one: each is deleted with everything in it before the next one is made. */
export class Grounds {
  /** What was left in the target. */
  readonly left: string[] = []
  /** The journals that list it, with which it can be swept. */
  readonly kept: string[] = []
  /** Why no call goes out any more, unless the operator wanted it so. */
  ended: string | undefined
  readonly #config: Config
  readonly #folder: string
  readonly #name: string
  readonly #flags = new Set<string>()
  #open: { run: Run; journal: OpenJournal; ground?: Ground } | undefined
  readonly #wire = { sent: 0 }
  #count = 0
  #swept = 0
  #interrupted = false

  /** The journals are written to the folder; `name` is that of the run. */
  constructor(config: Config, folder: string, name: string) {
    this.#config = config
    this.#folder = folder
    this.#name = name
  }

  /** What was left in the target, a line each, and how to delete it. */
  leftLines(): string[] {
    return [...this.left.map((uid) => `left behind: ${uid}`), ...this.kept.map((journal) => sweepLine(journal))]
  }

  /** How many requests went out. */
  get sent(): number {
    return this.#wire.sent + this.#swept
  }

  /** How many resources were made since the last sweep. */
  get made(): number {
    return this.#open?.run.journal.entries.length ?? 0
  }

  /** A ground with room. Throws `Inconclusive` or `Stopped` if the target refuses to make one. */
  async ground(): Promise<Ground> {
    if (this.#open?.ground && this.made < mostEntries) return this.#open.ground
    await this.close()
    const config = this.#config
    const header = headerOf(config, this.#name)
    const journal = openJournal(join(this.#folder, `journal-${this.#name}-${++this.#count}.jsonl`), header)
    const run = openRun({ config, journal: journal.path, header }, this.#wire)
    this.#open = { run, journal }
    run.client.onEnded((why) => {
      this.ended ??= why
    })
    run.journal.onBroken = (why) => {
      this.ended ??= `the journal ${journal.path} can no longer be written (${why})`
    }
    if (this.#interrupted) run.client.interrupt()
    this.#open.ground = await openGround(run, this.#flags)
    return this.#open.ground
  }

  /** From now on only deletes are sent. */
  interrupt(): void {
    this.#interrupted = true
    this.#open?.run.client.interrupt()
  }

  /** Deletes everything that was made; what remains is in `left`, and its journal is kept. */
  async close(): Promise<void> {
    const open = this.#open
    if (open === undefined) return
    const { run, journal } = open
    run.journal.close()
    await run.client.close()
    run.grpc.destroy()
    this.#open = undefined
    const swept = await sweepOwn(this.#config, journal)
    journal.close()
    this.#swept += swept.requests
    const left = leftIn(swept)
    this.left.push(...left)
    if (left.length > 0) this.kept.push(journal.path)
  }
}
