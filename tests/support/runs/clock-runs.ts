import { everything } from '../../../cli/input/selections.ts'
import type { Reference } from '../../../reference/embed.ts'

const kinds = ['groups', 'identities', 'roleBindings'] as const

/** What a reference server holds below the operator's group. */
export const below = ({ world, groupUid }: Reference) =>
  kinds.flatMap((kind) => [...world.store.all(kind)]).filter(({ uid }) => uid.startsWith(`${groupUid}/`))

/** The requirements about days and hours. */
export const ofDays = { ...everything, only: ['list.token.lives*', 'list.token.restarts*', 'sts.token.hour.*'] }

/** What a run is given besides its settings. */
export interface More {
  resume?: string
  signal?: AbortSignal
  only?: string[]
  lasts?: boolean
  waits?: boolean
}
