import type { Profile, Report, Verdict } from '../../schemas/types.ts'
import { missingIn } from '../model/claims.ts'

/** Which parts of the service a certificate is about, and which it is not. */
export interface Covered {
  /** The parts that are certified. */
  profiles: Profile[]
  /** The other parts that the run examined, each with its verdict. */
  notCovered: { profile: Profile; verdict: Verdict }[]
  /** The operations that the target need not have and does not, such as `tag.list`. */
  notOffered: string[]
}

/**
 * What a report can certify: the parts that are asked for; else those that the run was asked for; else every conformant
 * part, unless some part is nonconformant, which has to be left out by name.
 */
export function coveredBy(report: Report, asked: readonly Profile[] = []): Covered {
  const { selection, profiles, requirements, verdict } = report
  const picked = asked.length > 0 ? asked : (selection.profiles as Profile[])
  const sound = profiles.filter((each) => verdict === 'nonconformant' || each.verdict === 'conformant')
  const covered = picked.length > 0 ? [...picked] : sound.map(({ profile }) => profile)
  const missing = requirements.filter(({ outcome, profile }) => outcome === 'not offered' && covered.includes(profile))
  return {
    profiles: covered,
    notCovered: profiles.flatMap(({ profile, verdict }) => (covered.includes(profile) ? [] : [{ profile, verdict }])),
    notOffered: [...new Set(missingIn(missing).flatMap(({ operations }) => operations))].sort(),
  }
}
