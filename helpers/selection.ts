import type { Header } from './requirement.ts'

/** Which requirements a run asks for; empty lists ask for all of them. */
export interface Selection {
  /** Ids or globs. */
  only: string[]
  skip: string[]
  profiles: string[]
}

/** True where the requirement is asked for. */
export function selected({ id, profile = 'core' }: Header, { only, skip, profiles }: Selection): boolean {
  const asked = only.length === 0 || only.some((glob) => matchesGlob(id, glob))
  const left = !skip.some((glob) => matchesGlob(id, glob))
  return asked && left && (profiles.length === 0 || profiles.includes(profile))
}

/** True where an id matches a glob, in which `*` stands for any characters. */
export function matchesGlob(id: string, glob: string): boolean {
  const pattern = glob.split('*').map((part) => part.replace(/[.+?^${}()|[\]\\]/g, '\\$&'))
  return new RegExp(`^${pattern.join('.*')}$`).test(id)
}
