import type { Api } from '../api/api.ts'
import type { Names } from '../api/names.ts'
import { isReceived, type Received, uids } from '../api/received.ts'
import { succeeded } from '../http/call.ts'
import type { Query } from '../http/url.ts'
import { listedInAll } from './listings.ts'
import { childrenOf, type Scratch } from './scratch.ts'

/** What is needed to make a shared population. */
export interface PopulationContext {
  api: Api
  names: Names
  scratch: Scratch
  /** The group that RMAPI_REGISTRY_GROUP_UID names; undefined where it is not set. */
  registryGroup: string | undefined
}

/** Many siblings, only ever read. */
export interface Crowd {
  /** The query that lists exactly them. */
  scope: Query
  /** Sorted by name. */
  siblings: Received[]
}

/** More siblings than the largest page holds (S4.11). */
const crowdSize = 212

/** Makes the crowd. */
export async function makeCrowd({ scratch }: PopulationContext): Promise<Crowd> {
  return { scope: scratch.children, siblings: await scratch.makeGroups(crowdSize) }
}

/** A tree five levels deep, only ever read. */
export interface Forest {
  /** The query that lists everything in it. */
  scope: Query
  /** The query that lists its branches. */
  children: Query
  /** Everything below the root, in no order. */
  all: Received[]
  /** What the target itself put beside it: it may have any name (R50). */
  strangers: Received[]
  /** The groups right below the root. */
  branches: Received[]
  /** A name shared by several groups with different parents, and those groups; empty where the target refuses that. */
  twins: Received[]
  /** Everything below the first branch, at every depth. */
  belowFirst: Received[]
}

const branchCount = 6
const leavesPerBranch = 5

/** Makes the forest: branches, leaves, twins of one name under each branch, and one chain of groups to level five. */
export async function makeForest({ api, names, scratch }: PopulationContext): Promise<Forest> {
  const branches = await scratch.makeGroups(branchCount)
  const twinName = names.fresh()
  const [leaves, attempts] = await Promise.all([
    Promise.all(branches.map(({ uid }) => scratch.makeGroups(leavesPerBranch, uid))),
    Promise.all(branches.map(({ uid }) => api.attempt.groups.create(uid, { name: twinName }))),
  ])
  const named = attempts.filter(succeeded).flatMap(({ json }) => (isReceived(json) ? [json] : []))
  const deep = await scratch.makeGroup({}, leaves[0]![0]!.uid)
  const deeper = await scratch.makeGroup({}, deep.uid)
  const deepest = await scratch.makeGroup({}, deeper.uid)
  const made = [...branches, ...leaves.flat(), ...named, deep, deeper, deepest]
  await scratch.settled('groups', scratch.descendants, made)
  const all = [...made, ...(await scratch.foreignIn('groups', scratch.descendants))]
  const listed = await listedInAll(api, 'groups', scratch.descendants)
  const strangers = listed.filter(({ uid }) => uid.startsWith(`${scratch.uid}/`) && !uids(made).includes(uid))
  const twins = [...named, ...strangers.filter(({ name }) => named.length > 0 && name === twinName)]
  const belowFirst = [...made, ...strangers].filter(({ uid }) => uid.startsWith(`${branches[0]!.uid}/`))
  return { scope: scratch.descendants, children: scratch.children, all, strangers, branches, twins, belowFirst }
}

/** Groups made in one burst, only ever read. */
export interface Burst {
  scope: Query
  all: Received[]
  /** How many of them share their createTime with another one. */
  ties: number
}

const burstSize = 24
const mostBursts = 5

/** Makes bursts, at most five, until one has a tie of createTime. */
export async function makeBurst({ scratch }: PopulationContext): Promise<Burst> {
  for (let bursts = 1; ; bursts++) {
    const home = await scratch.makeGroup()
    const all = await scratch.makeGroups(burstSize, home.uid)
    const ties = all.length - new Set(all.map(({ createTime }) => createTime)).size
    if (ties > 0 || bursts === mostBursts) return { scope: childrenOf(home.uid), all, ties }
  }
}

/** Groups whose names differ in digits and punctuation, only ever read. */
export interface Punctuated {
  scope: Query
  all: Received[]
  /** Those that came back as sent. */
  asSent: Received[]
  /** The end of each name, which no other run uses. */
  suffix: string
}

const punctuation = [
  'a_b',
  'axb',
  'a.b',
  'a-b',
  'a b',
  'abb',
  'aab',
  'a10',
  'a20',
  'a2',
  'ab',
  'b',
  'a_z',
  'az',
  'a.z',
  '0',
  '9z',
]

/** Makes them, as far as the target accepts such names. */
export async function makePunctuated({ api, names, scratch }: PopulationContext): Promise<Punctuated> {
  // 'ab' and 'abb' then sort the same way in every run
  const suffix = `z${names.fresh()}`
  const sent = punctuation.map((name) => name + suffix)
  const answers = await Promise.all(sent.map((name) => api.attempt.groups.create(scratch.uid, { name })))
  const all = answers.flatMap((answer) => (succeeded(answer) && isReceived(answer.json) ? [answer.json] : []))
  const asSent = answers.flatMap(({ json }, index) => (isReceived(json) && json.name === sent[index] ? [json] : []))
  await scratch.settled('groups', scratch.children, all)
  return { scope: scratch.children, all, asSent, suffix }
}
