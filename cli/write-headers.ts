import { writeFileSync } from 'node:fs'
import { headersFile } from './input/collect.ts'
import { everything } from './input/selections.ts'
import { withVitest } from './run/runner/vitest.ts'

// The last step of the build: collects the specs once, so that no run has to do it again to know the requirements.

const { testModules } = await withVitest({ selection: everything }, {}, {}, (vitest) => vitest.collect())
const broken = testModules.flatMap((module) => module.errors())[0]
if (broken) throw new Error(`the specs did not load: ${broken.message}`)
const cases = testModules.flatMap((module) => [...module.children.allTests()])
writeFileSync(headersFile, JSON.stringify(cases.flatMap((each) => each.meta().rmapi?.header ?? [])))
