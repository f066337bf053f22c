import { type KindName, kinds } from '../../api/kinds.ts'
import { isObject } from '../../api/received.ts'
import type { Judging } from '../judging.ts'

/** Kinds whose answers are shown, and always have a uid. */
const named: readonly KindName[] = ['groups', 'identities']

/** The uid in an answer that shows one resource; it has one (S2.1, S4.28, R46). */
export function judgeNamed(judging: Judging, kind: KindName, about: string): string | undefined {
  const { json, status } = judging.seen
  const uid = isObject(json) ? json.uid : undefined
  const isUid = typeof uid === 'string'
  // what is no JSON may have been cut off on its way (R56)
  if (named.includes(kind) && (json !== undefined || status === 204))
    judging.check(kind, 'content', isUid, `the ${kinds[kind].label.one} with its uid`, judging.came, {
      about: [about],
      breaks: 'R46',
    })
  return isUid ? uid : undefined
}
