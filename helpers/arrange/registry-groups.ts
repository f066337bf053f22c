import type { Api } from '../api/api.ts'
import type { KindName, RegistryKind } from '../api/kinds.ts'
import { type Received, uids } from '../api/received.ts'
import { walk } from '../assertions/page-walk.ts'
import { isViolation } from '../assertions/violation.ts'
import { succeeded } from '../http/call.ts'
import { Inconclusive, TargetGone } from '../http/case-errors.ts'
import { listedItems, listedUids } from './listings.ts'
import { childrenOf, descendantsOf } from './scratch.ts'

/** The items of a kind in the registry's group, and in the groups right below it. */
export interface RegistryGroups {
  group: string
  items: Received[]
  parts: { uid: string; items: Received[] }[]
}

/** With more groups than that below the registry's, they are not listed one by one. */
const mostParts = 6

/** Lists what is below some groups in the registry's group, each as its own scope. */
export async function readRegistryGroups(
  api: Api,
  kind: RegistryKind,
  group: string,
  items: Received[],
): Promise<RegistryGroups> {
  const answer = await api.attempt.groups.list({ ...childrenOf(group), page_size: mostParts })
  const groups = listedItems('groups', answer)
  const parts = await Promise.all(
    groups.map(async ({ uid }) => {
      const query = { ...descendantsOf(uid), page_size: 200 }
      return { uid, items: (await walk(api[kind].list, query, items.length)).items }
    }),
  )
  const filled = parts.filter((part) => part.items.length > 0)
  if (filled.length === 0) throw new Inconclusive(`no group below ${group} holds any ${kind} of its own`)
  return { group, items, parts: filled }
}

/** The most groups of which each lists its children. */
const mostHomes = 12

/** The registry's group and all groups below it; inconclusive where they are too many to list each. */
export async function registryHomes(api: Api, group: string): Promise<string[]> {
  const answer = await api.attempt.groups.list({ ...descendantsOf(group), page_size: 200 })
  const below = listedUids('groups', answer).filter((uid) => uid !== group)
  if (!succeeded(answer) || below.length > mostHomes)
    throw new Inconclusive(`below ${group} are too many groups to list the children of each`)
  return [group, ...below.map(String)]
}

/** Also judges some of the groups in the registry's group; what cannot be decided there shows nothing. */
export async function inGroupsOf(api: Api, group: string, judge: (uid: string) => Promise<unknown>): Promise<void> {
  const answer = await api.attempt.groups.list({ ...childrenOf(group), page_size: 2 })
  for (const { uid } of listedItems('groups', answer))
    await judge(uid).catch((error) => {
      if (isViolation(error) || error instanceof TargetGone) throw error
    })
}

/** A name that several items of a kind share, and those items; inconclusive where each has its own. */
export function sharedName(
  kind: KindName,
  items: readonly Received[],
  least: number,
): { name: string; bearers: string[] } {
  const byName = new Map<string, string[]>()
  for (const { uid, name } of items) if (typeof name === 'string') byName.set(name, [...(byName.get(name) ?? []), uid])
  const [most] = [...byName].sort(([, a], [, b]) => b.length - a.length)
  if (most === undefined || most[1].length < least)
    throw new Inconclusive(`no ${least} ${kind} share a name: a filter by name shows too little`)
  return { name: most[0], bearers: most[1].sort() }
}

/** Some items of a kind with unique names, so that a filter finds only them. */
export function uniquelyNamed(items: readonly Received[], most: number): Received[] {
  const count = (name: unknown) => items.filter((item) => item.name === name).length
  return items.filter(({ name }) => typeof name === 'string' && count(name) === 1).slice(0, most)
}

/** The uids of some items, sorted. */
export const sortedUids = (items: readonly Received[]): string[] => uids(items).sort()
