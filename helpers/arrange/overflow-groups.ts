import type { Api } from '../api/api.ts'
import type { Names } from '../api/names.ts'
import { uids } from '../api/received.ts'
import { limited } from '../assertions/refused.ts'
import { Inconclusive } from '../http/case-errors.ts'
import { type Eventually, onceKnown } from './eventually.ts'

/** How many spare groups are opened at once, and the most times that is done. */
const [atOnce, mostBatches] = [8, 24]
/** How many lie beside the first throw-away groups: later ones lie deeper, and depth may be limited too. */
const beside = 12
/** In how many spare groups something is tried: used in turn, the first ones are all full at about the same time. */
const mostTries = beside + 4

/** What is needed to make spare groups. */
type Opening = { api: Api; names: Names; eventually: Eventually }

/** Groups for the throw-away groups that do not fit into the run's own: quotas are not shown (R56). */
export class OverflowGroups {
  /** Spare groups that have refused nothing so far. */
  #open: string[]
  /** Groups kept for further spare groups. */
  readonly #roots: string[]
  #opening: Promise<void> | undefined
  #batches = 0
  #handedOut = 0

  /** `roots` are groups in which spare ones are made, the first of them first; `open` are spare ones. */
  constructor(roots: readonly string[], open: readonly string[] = []) {
    this.#roots = [...roots]
    this.#open = [...open]
  }

  /** Opens spare groups in the run's own group while it has room. */
  static async beside(uid: string, { api, names, eventually }: Opening): Promise<OverflowGroups> {
    const open = () => api.groups.create(uid, { name: names.fresh() })
    const root = await onceKnown(eventually, open)
    const more = await Promise.allSettled(Array.from({ length: beside }, open))
    return new OverflowGroups([root.uid], uids(more.flatMap((one) => (one.status === 'fulfilled' ? [one.value] : []))))
  }

  /** Makes something in the given group, or if that is full, in a spare one. */
  async orElsewhere<T>(
    parent: string,
    make: (parent: string) => Promise<T>,
    context: Omit<Opening, 'eventually'>,
  ): Promise<T> {
    try {
      return await make(parent)
    } catch (error) {
      if (!mayBeFull(error)) throw error
      for (let tries = 0; tries < mostTries; tries++) {
        const spare = await this.#next(context)
        if (spare === undefined) break
        try {
          return await make(spare)
        } catch (refusal) {
          if (!mayBeFull(refusal)) throw refusal
          this.#open = this.#open.filter((uid) => uid !== spare)
        }
      }
      throw error
    }
  }

  /** The spare group whose turn it is; undefined where no more can be made. */
  async #next({ api, names }: Omit<Opening, 'eventually'>): Promise<string | undefined> {
    if (this.#open.length === 0 && this.#batches < mostBatches) {
      this.#opening ??= this.#openMore(api, names).finally(() => {
        this.#opening = undefined
      })
      await this.#opening
    }
    return this.#open[this.#handedOut++ % this.#open.length]
  }

  /** Opens spare groups in the first of the kept groups that has room. */
  async #openMore(api: Api, names: Names): Promise<void> {
    this.#batches++
    for (const root of [...this.#roots]) {
      const bodies = names.several(atOnce).map((name) => ({ name }))
      const made = await Promise.allSettled(bodies.map((body) => api.groups.create(root, body)))
      const spare = uids(made.flatMap((one) => (one.status === 'fulfilled' ? [one.value] : [])))
      if (spare.length < atOnce) this.#roots.splice(this.#roots.indexOf(root), 1)
      if (spare.length < 2) continue
      this.#roots.push(spare.shift()!)
      this.#open.push(...spare)
      return
    }
    this.#batches = mostBatches
  }
}

/** A quota may be reported as too many calls, and waiting does not help. */
const mayBeFull = (error: unknown) => limited(error) || error instanceof Inconclusive
