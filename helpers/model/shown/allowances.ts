import { type KindName, kinds } from '../../api/kinds.ts'
import { rolesChange, tokenEnded } from '../judging.ts'

const many = (kind = '') => kinds[kind as KindName]?.label.many ?? kind

/** Flags that excuse nothing, or nothing that another one does not say. */
const silent = /^(offered|accepted|granted|refused|slashes|own) |^alien$/

/** What flags say of a target, in words. */
const words: readonly [flag: RegExp, say: (kind?: string) => string][] = [
  [/^alien (.+)$/, (kind) => `${many(kind)} that the run did not make`],
  [/^busy (.+)$/, (kind) => `${many(kind)} that others change`],
  [/^lag$/, () => 'answers that show a write late'],
  [/^late to refuse (.+)$/, (does) => `${does}s of something deleted that are refused late`],
  [/^marks$/, () => 'deleted resources that Get shows as deleted'],
  [/^moving (.+)$/, (kind) => `${many(kind)} that others move`],
  [/^moves$/, () => 'updateTimes that the target itself moves'],
  [/^moves (.+)$/, (kind) => `updateTimes of ${many(kind)} that the target itself moves`],
  [/^self$/, () => 'a group in the list of what is below it'],
  [/^slow exchange$/, () => 'identity tokens that are accepted late'],
  [/^taken again /, () => 'uids of deleted things that the target gives to its own'],
  [/^verifies$/, () => 'new groups that are verified'],
  [new RegExp(`^${rolesChange}$`), () => 'roles that others change'],
  [new RegExp(`^${tokenEnded}$`), () => 'an access token that ended during the run'],
]

/** What the model has seen and makes allowances for: each makes some judgements more lenient (R24, R50, R52). */
export function allowancesFor(flags: Iterable<string>): string[] {
  return [...new Set([...flags].filter((flag) => !silent.test(flag)).map(inWords))]
}

function inWords(flag: string): string {
  const [pattern, say] = words.find(([known]) => known.test(flag)) ?? []
  return say?.(pattern?.exec(flag)?.[1]) ?? flag
}
