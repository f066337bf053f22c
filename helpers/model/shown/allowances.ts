import { type KindName, kinds } from '../../api/kinds.ts'
import { rolesChange, tokenEnded } from '../judging.ts'

const many = (kind = '') => kinds[kind as KindName]?.label.many ?? kind

/** What flags say of a target, in words; other flags excuse nothing. */
const words: readonly [flag: RegExp, say: (kind?: string) => string][] = [
  [/^alien (.+)$/, (kind) => `${many(kind)} that the run did not make`],
  [/^busy (.+)$/, (kind) => `${many(kind)} that others change`],
  [/^lag$/, () => 'answers that show a write late'],
  [/^late to refuse (.+)$/, (does) => `${does}s of something deleted that are refused late`],
  [/^marks$/, () => 'deleted resources that Get shows as deleted'],
  [/^self$/, () => 'a group in the list of what is below it'],
  [/^slow exchange$/, () => 'identity tokens that are accepted late'],
  [/^verifies$/, () => 'new groups that are verified'],
  [new RegExp(`^${rolesChange}$`), () => 'roles that others change'],
  [new RegExp(`^${tokenEnded}$`), () => 'an access token that ended during the run'],
]

/** What the model has seen and makes allowances for: each makes some judgements milder (R24, R50, R52). */
export function allowancesFor(flags: Iterable<string>): string[] {
  return [...flags].flatMap((flag) =>
    words.flatMap(([pattern, say]) => {
      const found = pattern.exec(flag)
      return found ? [say(found[1])] : []
    }),
  )
}
