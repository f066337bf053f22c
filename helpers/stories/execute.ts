import type { Api } from '../api/api.ts'
import type { Names } from '../api/names.ts'
import type { Eventually } from '../arrange/eventually.ts'
import { deleteGroup, type Scratch } from '../arrange/scratch.ts'
import { limited, refused } from '../assertions/refused.ts'
import { succeeded } from '../http/call.ts'
import { Stopped } from '../http/case-errors.ts'
import { ModelMapping } from './model-mapping.ts'
import { type Reading, readingsOf } from './queries.ts'
import { after, bare, type Command, descriptionOf, inWords, nameOf, runGroup, type Tree } from './tree.ts'

/** Where a story is told: in a scratch group of its own. */
export interface ModelContext {
  api: Api
  scratch: Scratch
  names: Names
  eventually: Eventually
}

/** How a story came to an early end. */
export interface Mishap {
  error: Error
  /** Which command it followed, counted from 0; as many as there are where the story was told to its end. */
  at: number
  /** The steps up to there, in plain words; the last one says what went wrong. */
  steps: string[]
  /** What went wrong, in words that are the same in every telling. */
  kind: string
  /** The reading that did not fit; absent where a command did not. */
  reading?: Reading
}

/** How a story is told. */
export interface Pace {
  /**
   * What is read besides everything at the end: `after each` command what it touched, or everything once `half way` and
   * the whole list now and then.
   */
  reads: 'after each' | 'half way' | 'at the end'
  /** The readings that are made at the end, by their kind and words; all of them unless one is given. */
  only?: { kind?: Reading['kind'] | undefined; words?: string } | undefined
}

/** What did not fit: a reading, or the command itself. */
interface Unfit {
  error: Error
  reading?: Reading
}

/** True for what is said about the target; anything else says that the story could not be told. */
export function isClaim(error: Error): boolean {
  return error instanceof Stopped ? error.stop.phase === 'act' : error.name === 'AssertionError'
}

/**
 * Does what the commands of a story say, and compares what stands below the scratch group with the model. Gives what
 * went wrong first, or nothing.
 */
export async function tell(
  story: readonly Command[],
  stage: ModelContext,
  { reads, only = {} }: Pace,
): Promise<Mishap | undefined> {
  const cast = new ModelMapping(stage.scratch.group, stage.names)
  const readings = readingsOf(stage.api, cast)
  const half = reads === 'half way' ? Math.floor(story.length / 2) : 0
  const steps: string[] = []
  let tree = bare
  for (const [at, command] of story.entries()) {
    steps.push(inWords(command, tree))
    tree = after(tree, command)!
    const failed = await carryOut(command, tree, cast, stage).then(
      () => undefined,
      (error: Error): Unfit => ({ error }),
    )
    const around = [
      ...askedBy(command, tree, readings),
      ...(reads === 'after each' ? touchedBy(command, tree, readings) : []),
      ...(at + 1 === half ? everything(tree, readings) : []),
      ...(half > 0 && at % 3 === 2 ? [readings.descendants(runGroup, tree)] : []),
    ]
    const unfit = failed ?? (await firstUnfit(around, stage.eventually))
    if (unfit) return mishap(unfit, at, steps)
  }
  const last = everything(tree, readings).filter(
    ({ kind, words }) => kind === (only.kind ?? kind) && words === (only.words ?? words),
  )
  const unfit = await firstUnfit(last, stage.eventually)
  return unfit && mishap(unfit, story.length, steps)
}

function mishap({ error, reading }: Unfit, at: number, steps: readonly string[]): Mishap {
  const { claim } = error as { claim?: { expected: string; got: string } }
  const outcome = claim ? `expected ${claim.expected}, got ${claim.got}` : error.message
  const words = reading?.words
  const told = words === undefined || words === steps.at(-1) ? steps : [...steps, words]
  const what = error instanceof Stopped ? `${error.stop.operation} ${error.stop.status}` : error.message
  return {
    error,
    at,
    steps: [...told.slice(0, -1), `${told.at(-1)} → ${outcome}`],
    kind: what,
    ...(reading && { reading }),
  }
}

/** Sends the call of a command that writes, and judges its answer; what only reads is left to the readings. */
async function carryOut(
  command: Command,
  tree: Tree,
  cast: ModelMapping,
  { api, scratch, names }: ModelContext,
): Promise<unknown> {
  const { does } = command
  const grown = tree.groups.get(command.group)
  const [name, description] = grown ? [cast.name(nameOf(grown)), descriptionOf(grown)] : ['', '']
  const bad = { name: `${names.fresh()}@B` }
  const update = async (body: Record<string, unknown>, updateMask?: string) => {
    const updated = await api.groups.update(cast.uid(command.group), body, updateMask ? { updateMask } : {})
    cast.fits(updated, grown!, 'the answer to Update')
  }
  if (does === 'create') {
    const body = { name, ...(command.described && { description }) }
    const made = await api.groups.create(cast.uid(command.below), body).catch((error) => {
      throw limited(error) ? new Stopped({ ...error.stop, phase: 'arrange' }) : error
    })
    cast.enters(command.group, made)
    return cast.fits(made, grown!, 'the answer to Create')
  }
  const uid = cast.uid(command.group)
  const masked = 'masked' in command && command.masked
  const writes: Partial<Record<typeof does, () => Promise<unknown>>> = {
    rename: () => (masked ? update({ name, description: 'left out' }, 'name') : update({ name })),
    describe: () => (masked ? update({ name: names.fresh(), description }, 'description') : update({ description })),
    rewrite: () => update({ name, description }),
    clear: () => update({ description: '' }, 'description'),
    delete: async () => {
      const { status, text } = await deleteGroup(api, scratch, uid)
      const why = `was answered ${status}: ${text.slice(0, 200)}`
      if (!succeeded({ status })) throw new Stopped({ operation: 'group.delete', phase: 'act', why, status })
    },
    'refused delete': async () => refused(await api.attempt.groups.delete(uid), 'Delete of a group that is not empty'),
    'refused rename': async () => refused(await api.attempt.groups.update(uid, bad), 'a bad new name'),
    'refused create': async () => refused(await api.attempt.groups.create(uid, bad), 'a bad name'),
  }
  return writes[does]?.()
}

type Readings = ReturnType<typeof readingsOf>

/** The readings that a command asks for, where it is one that reads. */
function askedBy(command: Command, tree: Tree, readings: Readings): Reading[] {
  const { does, group: label } = command
  const grown = tree.groups.get(label)
  const asked: Partial<Record<typeof does, () => Reading[]>> = {
    get: () => [readings.get(grown!)],
    find: () => [readings.find(grown!)],
    'find former': () => readings.formers(grown ?? tree.gone.get(label)!, grown !== undefined),
    'list children': () => [readings.children(label, tree)],
    'list descendants': () => [readings.descendants(label, tree)],
    walk: () => [readings.walk(command as Command & { does: 'walk' }, tree)],
    skip: () => [readings.skipping(command as Command & { does: 'skip' }, tree)],
  }
  return asked[does]?.() ?? []
}

/** What a command that writes may have changed, and the whole tree. */
function touchedBy({ does, group: label }: Command, tree: Tree, readings: Readings): Reading[] {
  const { get, find, formers, lost, children, descendants } = readings
  const grown = tree.groups.get(label)
  const gone = tree.gone.get(label)
  const whole = descendants(runGroup, tree)
  if (!writes.has(does)) return []
  if (does === 'refused create') return [whole, children(label, tree)]
  if (gone) return [whole, lost(gone), children(gone.below, tree), ...formers(gone, false, 1)]
  const place = does === 'create' ? [children(grown!.below, tree)] : []
  return [whole, get(grown!), find(grown!), ...formers(grown!, true, 1), ...place]
}

const writes = new Set<Command['does']>([
  ...(['create', 'rename', 'describe', 'rewrite', 'clear', 'delete'] as const),
  ...(['refused create', 'refused rename', 'refused delete'] as const),
])

/** Everything that a story ever made. */
function everything(tree: Tree, readings: Readings): Reading[] {
  const { get, find, formers, lost, children, descendants, walk } = readings
  const there = [...tree.groups.values()]
  const size = Math.max(2, Math.ceil(there.length / 3))
  return [
    descendants(runGroup, tree),
    ...[runGroup, ...tree.groups.keys()].map((label) => children(label, tree)),
    ...there.flatMap((grown) => [get(grown), find(grown), ...formers(grown, true)]),
    ...[...tree.gone.values()].flatMap((grown) => [lost(grown), ...formers(grown, false)]),
    walk({ group: runGroup, order: undefined, size }, tree),
  ]
}

/** The first of some readings, made side by side, that does not fit; what could not be told counts last. */
async function firstUnfit(readings: readonly Reading[], eventually: Eventually): Promise<Unfit | undefined> {
  const outcomes = await Promise.allSettled(readings.map(({ read }) => eventually(read)))
  const unfit = outcomes.flatMap((outcome, index) =>
    outcome.status === 'rejected' ? [{ error: outcome.reason as Error, reading: readings[index]! }] : [],
  )
  return unfit.find(({ error }) => isClaim(error)) ?? unfit[0]
}
