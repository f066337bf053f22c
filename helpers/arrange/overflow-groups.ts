import type { Api } from '../api/api.ts'
import type { Names } from '../api/names.ts'
import { uids } from '../api/received.ts'
import { limited } from '../assertions/refused.ts'
import { Inconclusive } from '../http/case-errors.ts'

/** How many groups take what the run's own group does not: it makes some hundreds of throw-away groups. */
const groupsInSpare = 8

/** A group that is kept for the throw-away groups that the run's own has no room for: quotas are not shown (R56). */
export class OverflowGroups {
  readonly #uid: string
  #groups: Promise<string[]> | undefined
  #handedOut = 0

  constructor(uid: string) {
    this.#uid = uid
  }

  /** Makes something in the group that is given, or where that takes no more, in one of the spare ones. */
  async orElsewhere<T>(
    parent: string,
    make: (parent: string) => Promise<T>,
    { api, names }: { api: Api; names: Names },
  ): Promise<T> {
    try {
      return await make(parent)
    } catch (error) {
      // a quota may be reported as too many calls, and waiting does not help
      if (!limited(error) && !(error instanceof Inconclusive)) throw error
      this.#groups ??= this.#open(api, names).catch(() => [])
      const groups = await this.#groups
      if (groups.length === 0) throw error
      return make(groups[this.#handedOut++ % groups.length]!)
    }
  }

  async #open(api: Api, names: Names): Promise<string[]> {
    const bodies = names.several(groupsInSpare).map((name) => ({ name }))
    return uids(await Promise.all(bodies.map((body) => api.groups.create(this.#uid, body))))
  }
}
