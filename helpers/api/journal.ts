import { closeSync, ftruncateSync, openSync, writeSync } from 'node:fs'
import { Inconclusive } from '../http/case-errors.ts'
import { type Kind, kinds } from './kinds.ts'

/** One thing that the run set out to make. */
export interface Entry {
  kind: string
  parent: string
  /** Absent where none was sent as text. */
  name?: string
  /** Absent as long as no answer told it. */
  uid?: string
  /** The run's own scratch group. */
  root?: true
}

/** Writes every create down before it is sent, and refuses every write outside what the run made. */
export class Journal {
  readonly entries: Entry[] = []
  /** The run's own scratch group; everything at or below it is the run's. */
  root: string | undefined
  /** The operator's group, as the target writes its uid (R58). */
  operatorsGroup: string
  /** Where it is written on disk. */
  readonly path: string | undefined
  readonly #lent = new Set<string>()
  readonly #expendable: string | undefined
  readonly #file: number | undefined

  /** Without a path nothing is written to disk. `expendable` is the group that the operator lets the run delete (R30). */
  constructor(operatorsGroup: string, path?: string, expendable?: string) {
    this.operatorsGroup = operatorsGroup
    this.path = path
    this.#expendable = expendable
    this.#file = path === undefined ? undefined : openSync(path, 'a')
  }

  before(kind: string, parent: string, body: unknown): Entry {
    const root = parent === this.operatorsGroup && this.root === undefined
    if (!root) this.guard(parent)
    const name = (body as { name?: unknown } | null | undefined)?.name
    const entry: Entry = {
      kind,
      parent,
      ...(typeof name === 'string' ? { name } : {}),
      ...(root && { root }),
    }
    this.#write(entry)
    return entry
  }

  after(entry: Entry, answer: unknown): void {
    // v1 calls it id
    const { id, uid = id, name } = (answer ?? {}) as { id?: unknown; uid?: unknown; name?: unknown }
    if (typeof uid !== 'string' || uid === '' || this.#holdsOperatorsGroup(uid)) return
    // an answer about something else must not make a stranger ours
    const silent = name === undefined && !(kinds as Record<string, Kind>)[entry.kind]?.shown
    if (entry.name !== undefined && name !== entry.name && !silent) return
    entry.uid = uid
    this.entries.push(entry)
    this.#write(entry)
  }

  /** Ends the case where a write would reach something that the run did not make. */
  guard(uid: string): void {
    const own = this.root !== undefined && (uid === this.root || uid.startsWith(`${this.root}/`))
    if (own || this.#lent.has(uid) || this.made(uid)) return
    throw new Inconclusive(`the target named '${uid}', which the run did not make: nothing is written there`)
  }

  /** Like `guard` for a Delete: the one group that the operator lets the run lose may be tried (R30). */
  guardDelete(kind: string, uid: string): void {
    if (kind !== 'groups' || this.#expendable === undefined || uid !== this.#expendable) this.guard(uid)
  }

  /** True where the run made what bears this uid. */
  made(uid: string): boolean {
    return this.entries.some((entry) => entry.uid === uid)
  }

  /** Lets a case write to a uid that was never issued, however much of it is right (R38). */
  lend(uid: string): string {
    this.#lent.add(uid)
    return uid
  }

  /** Forgets everything, once all of it is deleted: the run begins anew, with another scratch group. */
  restart(): void {
    this.entries.length = 0
    this.#lent.clear()
    this.root = undefined
    if (this.#file !== undefined) ftruncateSync(this.#file)
  }

  close(): void {
    if (this.#file !== undefined) closeSync(this.#file)
  }

  #holdsOperatorsGroup(uid: string): boolean {
    return `${this.operatorsGroup}/`.startsWith(`${uid}/`)
  }

  #write(entry: Entry): void {
    if (this.#file !== undefined) writeSync(this.#file, `${JSON.stringify(entry)}\n`)
  }
}
