import type { Context } from './service.ts'

/** Throws the refusal that the rules have for a call on a uid or a scope (R56). */
export function throwObjection(uid: string, at: Context): void {
  const objection = at.world.rules.objection(uid, at)
  if (objection) throw objection
}
