import type { Patience } from '../helpers/api/soft-refusal.ts'
import { shuffled } from '../helpers/case/for-all.ts'
import type { Variant } from '../reference/fault.ts'
import type { Replacement } from '../reference/replace.ts'
import { contract } from '../reference/rules.ts'
import type { Rules } from '../reference/rules.types.ts'

/** How long a reading of a faulty server may take to fit, in milliseconds: a fault lasts, so waiting is pointless. */
export const faultPatience: Patience = { readings: 400, rights: 800 }

/** A fault or a variant: its name, and the rules that it replaces. */
type Decision = Pick<Variant, 'name' | 'rules'>

/** How servers are drawn: about how many decisions each has, and which must not share one. */
interface Drawing<T> {
  seed?: number
  atOnce?: number
  mayShare?: (one: T, other: T) => boolean
}

/**
 * Draws servers that have several variants at once, or several faults. A server with several variants is as lawful as one
 * with one variant, and fewer servers are needed. Each decision is on exactly one server; the seed says which.
 */
export function drawServers<T extends Decision>(
  all: readonly T[],
  { seed = 1, atOnce = 8, mayShare = () => true }: Drawing<T> = {},
): T[][] {
  const servers: T[][] = Array.from({ length: Math.ceil(all.length / atOnce) }, () => [])
  for (const one of shuffled(all, seed)) {
    // the emptiest first, so that none is much larger than others
    const byRoom = [...servers].sort((a, b) => a.length - b.length)
    const free = byRoom.find((others) => others.every((other) => canShare(one, other) && mayShare(one, other)))
    if (free) free.push(one)
    else servers.push([one])
  }
  return servers.filter((server) => server.length > 0)
}

/** Draws one server with so many variants at once, each time from all of them. */
export function drawServer<T extends Decision>(all: readonly T[], size: number, seed: number): T[] {
  const server: T[] = []
  for (const one of shuffled(all, seed)) {
    if (server.length < size && server.every((other) => canShare(one, other))) server.push(one)
  }
  return server
}

/** The rules of several decisions at once: each replaces those before it. */
export const combined =
  (some: readonly Decision[]): Replacement =>
  (contract) => {
    const all: Partial<Rules> = {}
    for (const { rules } of some) Object.assign(all, rules({ ...contract, ...all }))
    return all
  }

/** True if two decisions can be made on one server. */
function canShare(one: Decision, other: Decision): boolean {
  if (apart.some((pair) => pair.includes(one.name) && pair.includes(other.name))) return false
  return !partsDecidedBy(one).some((part) => partsDecidedBy(other).includes(part))
}

/** What a page token holds, and how a list continues from it: rules that only work together. */
const paging = ['cursor', 'cursorFits', 'decodeToken', 'encodeToken', 'rest', 'sorted']

const partsDecidedBy = ({ rules }: Decision) =>
  Object.keys(rules(contract)).map((rule) => (paging.includes(rule) ? 'paging' : rule))

/** Variants that show what is deleted by a mark, which gRPC loses: it is in no published schema. */
const marked = [
  'deleted identities and bindings are shown as deleted',
  'what is deleted says so by a flag and a status',
  'what is deleted has the time of its deletion, and is terminated',
  'whatever is deleted is shown in the state of a deleted thing',
  'what is deleted has a deletionTimestamp in its metadata',
  'what is deleted says when by timeDeleted',
  'what is deleted says so by _deleted, as replicated documents do',
  'what is deleted says so in the lifecycle of its metadata',
  'what is deleted has a softDeleteTime',
]

/** Pairs of variants that replace different rules but contradict each other. */
export const apart: readonly (readonly string[])[] = [
  // no other protocol shows the mark
  ...marked.flatMap((mark) => [
    [mark, 'identities can be read over gRPC alone'],
    [mark, 'role bindings can be read one by one over gRPC alone'],
  ]),
  // the binding that has to be deleted first can be neither found nor deleted
  [
    'roles and bindings can do what is printed and no more',
    'the creator of a group is bound in it, and the binding has to go first',
  ],
  // a Delete of v1 that is not offered would be answered as done
  ['to delete what is not there succeeds', 'v1 has lists and nothing else'],
  // there is no tag whose time could be shown
  ['the registry is empty', 'tags and advisories have times with microseconds'],
  // the scope of a list may be a group that others have just deleted
  ['others write in the same organization all the time', 'a scope that is not there is forbidden'],
  ['others write in the same organization all the time', 'a scope that is not there is refused as missing'],
  // a list lags for both together, which is more than five seconds (R52)
  ['totals are counted every two seconds', 'what was deleted stays in lists for four seconds'],
  // the token of a new walk is that of an older one, whose pages would be older than the walk (R52)
  ['page tokens are as old as the minute that they are issued in', 'a walk shows what there was when it began'],
  // a long page token is in the address
  [
    'page tokens have nine kilobytes, are different every time, and go in the address all the same',
    'an address of more than a thousand characters is too long',
  ],
  [
    'page tokens have nine kilobytes, are different every time, and go in the address all the same',
    'a body of more than two kilobytes is too large, and an address of more than four too long',
  ],
  // the placeholder, which the run cannot see, has the name that a group gets back
  [
    'a rename of a group leaves a placeholder with the old name beside it, which goes with the group',
    'a name is refused where a sibling has it, as taken',
  ],
  [
    'a rename of a group leaves a placeholder with the old name beside it, which goes with the group',
    'a name is taken where a sibling has the same letters and digits',
  ],
  [
    'a rename of a group leaves a placeholder with the old name beside it, which goes with the group',
    'a name is taken where a sibling has it, whatever the blanks in it',
  ],
  [
    'a rename of a group leaves a placeholder with the old name beside it, which goes with the group',
    'no two things in a group have one name, of whatever kind',
  ],
  // a total lags by both, which is five seconds (R52)
  [
    'what is new shows two seconds late everywhere, by when a job has classified it, which moved its updateTime',
    'a total is kept for three seconds',
  ],
  // shadows halve the room of a group
  ['every new group has a shadow group beside it, which is deleted with it', 'a group has room for thirty others'],
  [
    'every new group has a shadow group beside it, which is deleted with it',
    'a group has room for forty of a kind, and one too many is answered 429',
  ],
  [
    'every new group has a shadow group beside it, which is deleted with it',
    'a group has room for two hundred and thirty others',
  ],
]
