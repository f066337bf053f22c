import type { Header } from './header.ts'

/** The requirements that a run includes; empty lists mean all of them. */
export interface Selection {
  /** Ids or globs. */
  only: string[]
  skip: string[]
  profiles: string[]
  /** Which of the run's parts to run, counted from 1. */
  shard?: Shard
  /** Set where calls go over gRPC: what is about HTTP itself is left out. */
  transport?: 'grpc'
}

/** One part of a run: the `index`th of `of` parts. */
export interface Shard {
  index: number
  of: number
}

/** True where the selection includes the requirement. */
export function selected(header: Header, { only, skip, profiles, shard, transport }: Selection): boolean {
  if (transport === 'grpc' && header.over === 'http') return false
  const { profile = 'core' } = header
  const asked = only.length === 0 || only.some((glob) => isCalled(header, glob))
  const left = !skip.some((glob) => isCalled(header, glob))
  const named = asked && left && (profiles.length === 0 || profiles.includes(profile))
  return named && (shard === undefined || header.alone === 'whole run' || shardOf(header, shard.of) === shard.index)
}

/** True where a glob matches a requirement's id, or one of its earlier ids. */
export function isCalled({ id, formerly = [] }: Pick<Header, 'id' | 'formerly'>, glob: string): boolean {
  return [id, ...formerly].some((name) => matchesGlob(name, glob))
}

/** The shard of a requirement, whatever else is selected; what moves the clock stays together. */
export function shardOf({ id, profile }: Pick<Header, 'id' | 'profile'>, of: number): number {
  let hash = 0x811c9dc5
  for (const character of profile === 'time' ? 'time' : id)
    hash = Math.imul(hash ^ character.charCodeAt(0), 0x01000193) >>> 0
  return (hash % of) + 1
}

/** True where an id matches a glob, in which `*` matches any characters. */
export function matchesGlob(id: string, glob: string): boolean {
  const pattern = glob.split('*').map((part) => part.replace(/[.+?^${}()|[\]\\]/g, '\\$&'))
  return new RegExp(`^${pattern.join('.*')}$`).test(id)
}
