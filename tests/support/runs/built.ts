import { pathToFileURL } from 'node:url'
import { packageRoot } from '../../../cli/input/package.ts'

const load = (file: string) => import(pathToFileURL(`${packageRoot}/dist/${file}`).href)

/** The suite as it is shipped: many runs in one process go faster over what is compiled already. */
export const { runSuite } = (await load('cli/run/run-suite.js')) as typeof import('../../../cli/run/run-suite.ts')

// of the same build, because an error class of another one is unknown there
/** What a run that cannot begin throws. */
export const { Refused } = (await load('cli/input/refused.js')) as typeof import('../../../cli/input/refused.ts')
/** Every fault. */
export const { faults } = (await load('reference/faults.js')) as typeof import('../../../reference/faults.ts')
/** Every lawful variant. */
export const { variants } = (await load('reference/variants.js')) as typeof import('../../../reference/variants.ts')
/** Says what of a submission does not fit. */
export const { checkSubmission } = (await load(
  'cli/commands/check-submission.js',
)) as typeof import('../../../cli/commands/check-submission.ts')
/** Explores a target. */
export const { exploreTarget } = (await load(
  'cli/explore/explore-target.js',
)) as typeof import('../../../cli/explore/explore-target.ts')
