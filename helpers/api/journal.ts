import { closeSync, fstatSync, ftruncateSync, openSync, readSync, writeSync } from 'node:fs'
import { present } from '../../schemas/present.ts'
import { Inconclusive } from '../http/case-errors.ts'
import { type Entry, type JournalHeader, lineOf, sumOf, uniqueIn } from './journal-lines.ts'
import type { KindName } from './kinds.ts'
import { isObject, type Received } from './received.ts'
import { holds, isCanonical, withRoomBelow } from './resource-path.ts'

/** Records every create before it is sent, and refuses every write outside what the run made. */
export class Journal {
  readonly entries: Entry[] = []
  /** The run's own scratch group; everything at or below it is the run's. */
  root: string | undefined
  /** Its createTime according to the target. */
  rootCreated: unknown
  /** The operator's group, with its uid as the target writes it (R58). */
  operatorsGroup: string
  /** Its path on disk. */
  readonly path: string | undefined
  /** Called once when it can no longer be written: nothing more is made then. */
  onBroken: (why: string) => void = () => {}
  /** What is recorded instead of a text of the target: never a secret. */
  clean: (text: string) => string = (text) => text
  readonly #lent = new Map<string, Received | undefined>()
  readonly #expendable: string | undefined
  readonly #file: number | undefined
  readonly #header: string
  readonly #pending = new Set<string>()
  readonly #byUid = new Map<string, (Entry & { uid: string })[]>()
  readonly #madeAt = new Map<string, number>()
  readonly #begun = performance.now()
  /** What a Delete was sent for, whatever the outcome. */
  readonly #deleting = new Set<string>()
  /** What a Delete was refused for, with no other Delete since. */
  readonly #kept = new Set<string>()
  /** Uids of what the run made that are never written into a path. */
  readonly #unwritable = new Set<string>()
  #sum: string
  #broken: string | undefined

  /** Without a path nothing is written to disk. `expendable` is the group that the run may delete (R30). */
  constructor(operatorsGroup: string, path?: string, expendable?: string, header?: JournalHeader) {
    this.operatorsGroup = operatorsGroup
    this.path = path
    this.#expendable = expendable
    this.#file = path === undefined ? undefined : this.#tried(() => openSync(path, 'a+', 0o600))
    const [first] = this.text().split('\n')
    this.#header = first ? `${first}\n` : header === undefined ? '' : lineOf(header, '')
    this.#sum = sumOf(this.#header)
    const file = this.#file
    if (file !== undefined && !first) this.#tried(() => writeSync(file, this.#header))
  }

  before(kind: KindName, parent: string, body: unknown): Entry {
    const { name, ...marks } = uniqueIn(body)
    const root = kind === 'groups' && parent === this.operatorsGroup && this.root === undefined
    if (!root) this.guard(withRoomBelow(parent))
    const entry: Entry = {
      kind,
      parent,
      ...present({ name }),
      ...(Object.keys(marks).length > 0 && { marks }),
      ...(root && { root }),
    }
    this.#write(entry)
    if (this.#broken !== undefined)
      throw new Inconclusive(`the journal cannot be written (${this.#broken}): nothing more is made`)
    if (root && entry.name !== undefined) this.#pending.add(entry.name)
    return entry
  }

  after(entry: Entry, answer: unknown): void {
    // v1 calls it id
    const { id, uid = id, name, createTime } = isObject(answer) ? answer : {}
    if (typeof uid !== 'string' || holds(uid, this.operatorsGroup) || this.clean(uid) !== uid) return
    if (!isCanonical(uid)) return void this.#unwritable.add(uid)
    entry.uid = uid
    // what has another name is found by its uid, and only deleted if its letters are those that were sent
    const astray = entry.name !== undefined && typeof name === 'string' && name !== entry.name
    if (astray) entry.shown = this.clean(name).slice(0, 200)
    this.#write(entry)
    if (astray) return
    this.adopt([entry])
    if (entry.root) this.rootCreated = createTime
  }

  /** Records that the target refused to make the run's own group. */
  refused(entry: Entry): void {
    if (!entry.root) return
    entry.refused = true
    this.#write(entry)
  }

  /** Records what an update sends that is unique to a resource, where the uid does not show that it is the run's. */
  changing(kind: KindName, uid: string, body: unknown): void {
    const entry = this.covers(uid) ? undefined : this.entryOf(uid, kind)
    if (entry === undefined) return
    const { name, ...marks } = uniqueIn(body)
    const later = Object.values(marks)
    if (name === undefined && later.length === 0) return
    if (name !== undefined) entry.names = [...(entry.names ?? []), name]
    if (later.length > 0) entry.laterMarks = [...(entry.laterMarks ?? []), ...later]
    this.#write(entry)
  }

  /** Takes over what an earlier run made, as its journal lists it. */
  adopt(entries: readonly Entry[]): void {
    for (const entry of entries) {
      this.entries.push(entry)
      if (entry.uid === undefined) continue
      // the newest first: a uid may be used again (R28)
      this.#madeAt.set(entry.uid, performance.now())
      this.#byUid.set(entry.uid, [{ ...entry, uid: entry.uid }, ...(this.#byUid.get(entry.uid) ?? [])])
    }
  }

  /** Ends the case where a write would reach something that the run did not make. */
  guard(uid: string): void {
    const above = holds(uid, this.operatorsGroup)
    const outside = !this.covers(uid) && holds(this.operatorsGroup, uid) && uid !== this.root
    const known = this.covers(uid) || this.#lent.has(uid) || this.made(uid)
    if (known && !above && !outside && isCanonical(uid)) return
    const why = isCanonical(uid) ? 'which the run did not make' : 'which a gateway may read as another uid'
    throw new Inconclusive(`the target named '${uid}', ${why}: nothing is written there`)
  }

  /** Like `guard` for a Delete: the one group that the operator allows the run to lose may be tried (R30). */
  guardDelete(kind: string, uid: string): void {
    if (kind !== 'groups' || !this.isExpendable(uid)) this.guard(uid)
    this.#deleting.add(uid)
    this.#kept.delete(uid)
  }

  /** Notes that a Delete was refused. */
  keeps(uid: string): void {
    this.#kept.add(uid)
  }

  /** True where a Delete of its group or its identity may have deleted it as well. */
  mayHaveGone({ parent, marks, laterMarks = [] }: Entry): boolean {
    return [parent, marks?.identityUid, ...laterMarks].some((uid) => uid !== undefined && this.#deleting.has(uid))
  }

  /** True for the group that the operator allows the run to lose. */
  isExpendable(uid: string): boolean {
    return this.#expendable !== undefined && uid === this.#expendable
  }

  /** True for a create of the run's own group that was just recorded. */
  opens(kind: KindName, parent: string, body: unknown): boolean {
    const name = isObject(body) ? body.name : undefined
    return kind === 'groups' && parent === this.operatorsGroup && typeof name === 'string' && this.#pending.has(name)
  }

  /** True for the run's own group and everything below it, by its uid. */
  covers(uid: string): boolean {
    const { root } = this
    return root !== undefined && isCanonical(uid) && (uid === root || uid.startsWith(`${root}/`))
  }

  /** True where the run made the resource with this uid, of any kind unless one is given. */
  made(uid: string, kind?: KindName): boolean {
    return this.entryOf(uid, kind) !== undefined || this.#unwritable.has(uid)
  }

  /** What the run made under a uid: two kinds may use the same uid for different things (S2.1). */
  entryOf(uid: string, kind?: KindName): (Entry & { uid: string }) | undefined {
    return this.#byUid.get(uid)?.find((entry) => kind === undefined || entry.kind === kind)
  }

  /** Lets a case write to a uid that was never issued (R38), or that the target itself put into the run's group (R50). */
  lend(uid: string, item?: Received): string {
    this.#lent.set(uid, item)
    return uid
  }

  /**
   * True where the run made something under one of these uids less than `within` ms ago, and deleted nothing there. Asked
   * for groups, the operator's counts as made when the run began: it may be that new.
   */
  madeLately(uids: readonly unknown[], within: number, kind?: KindName): boolean {
    return uids.map(String).some((uid) => {
      const isOperators = uid === this.operatorsGroup && kind === 'groups'
      const madeAt = isOperators ? this.#begun : (this.#madeAt.get(uid) ?? Number.NEGATIVE_INFINITY)
      const isThere = (!this.#deleting.has(uid) || this.#kept.has(uid)) && (isOperators || this.made(uid, kind))
      return isThere && performance.now() - madeAt < within
    })
  }

  /** What was lent, as a list showed it. */
  lent(uid: string): Received | undefined {
    return this.#lent.get(uid)
  }

  /** Forgets everything once it is deleted: the run starts over in another scratch group. */
  restart(): void {
    this.entries.length = 0
    this.#byUid.clear()
    this.#lent.clear()
    this.root = undefined
    this.#sum = sumOf(this.#header)
    if (this.#file !== undefined) ftruncateSync(this.#file, Buffer.byteLength(this.#header))
  }

  /** Everything in it, even if somebody deleted its file meanwhile. */
  text(): string {
    return this.#file === undefined ? '' : textOf(this.#file)
  }

  close(): void {
    if (this.#file !== undefined) closeSync(this.#file)
  }

  #write(entry: Entry): void {
    if (this.#file === undefined || this.#broken !== undefined) return
    const [file, line] = [this.#file, lineOf(entry, this.#sum)]
    const written = this.#tried(() => writeSync(file, line))
    if (written === Buffer.byteLength(line)) this.#sum = sumOf(line)
    else if (written !== undefined) this.#breaks('ENOSPC')
  }

  /** What cannot be recorded is not made: after the first failure there is no journal. */
  #tried<T>(write: () => T): T | undefined {
    try {
      return write()
    } catch (error) {
      this.#breaks((error as NodeJS.ErrnoException).code ?? (error as Error).message)
      return undefined
    }
  }

  #breaks(why: string): void {
    this.#broken = why
    this.onBroken(why)
  }
}

/** The contents of an open file. */
export function textOf(file: number): string {
  const bytes = Buffer.alloc(fstatSync(file).size)
  return bytes.toString('utf8', 0, readSync(file, bytes, 0, bytes.length, 0))
}
