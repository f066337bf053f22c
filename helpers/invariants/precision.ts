import { type KindName, kinds } from '../api/kinds.ts'
import type { Received } from '../api/received.ts'
import { fractionOf } from '../assertions/timestamps.ts'

/** How one member was written on the resources of a kind that the run made (S2.4, R2). */
export interface Written {
  member: string
  resources: ReadonlySet<string>
  moments: ReadonlySet<string>
  /** How many of its times have a fraction, and how many have one that is not zero. */
  fractions: number
  kept: number
}

type Cell = Written & { resources: Set<string>; moments: Set<string> }

/** How precise times are, by kind and member; only answers that show one resource count. */
export class Precision {
  readonly #made = new Set<string>()
  readonly #cells = new Map<string, Cell>()

  /** Records a resource that an answer shows, if the run made it. */
  note(operation: string, resource: Received): void {
    const [kind, does] = operation.split('.')
    const key = `${kind} ${resource.uid}`
    if (does === 'create') this.#made.add(key)
    if (!this.#made.has(key)) return
    for (const member of ['createTime', 'updateTime']) {
      const time = resource[member]
      const fraction = fractionOf(time)
      if (fraction === undefined) continue
      const name = `${kind} ${member}`
      const cell = this.#cells.get(name) ?? { member, resources: new Set(), moments: new Set(), fractions: 0, kept: 0 }
      this.#cells.set(name, cell)
      cell.resources.add(resource.uid)
      cell.moments.add(String(time))
      if (/\.\d/.test(String(time))) cell.fractions++
      if (fraction !== '') cell.kept++
    }
  }

  /** What is known of a kind's members; only of `createTime` where its table lists no other (R1). */
  of(kind: KindName): Written[] {
    const members = kind === 'groups' || kind === 'identities' ? ['createTime', 'updateTime'] : ['createTime']
    return members.flatMap((member) => this.#cells.get(`${kinds[kind].name} ${member}`) ?? [])
  }
}

/** How many resources it takes to conclude that none has a fraction (R2). */
export const enoughTimes = 10

/** True where there are enough, and not all from the same moment. */
export const isEnough = ({ resources, moments }: Written) => resources.size >= enoughTimes && moments.size > 1
