import { readdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import type { Find } from '../../helpers/explore/explorer.ts'
import type { Config } from '../../helpers/settings/configuration.ts'
import { textIn } from '../../helpers/settings/setting-files.ts'
import { present } from '../../schemas/present.ts'
import type { ExploredFinding } from '../../schemas/types.ts'
import { suite } from '../input/package.ts'
import { Refused } from '../input/refused.ts'
import { ofAnotherVersion, schemaProblems } from '../input/schema-problems.ts'

/** What a finding is called in the folder of its report. */
export const fileOf = (row: string) => `finding-${row}.json`

/** A finding as its file holds it. */
export function findingOf(
  { finding, calls, drawn, reproduced }: Find,
  { target, seed, transport }: Config,
): ExploredFinding {
  const { name, version, baseUrl, apiVersion, embedded } = target
  const { row, expected, got } = finding
  return {
    findingVersion: 1,
    suite,
    target: { name, version, baseUrl, apiVersion, embedded },
    seed,
    ...present({ transport }),
    row,
    expected,
    got,
    reproduced,
    drawn,
    calls,
  }
}

/** The finding in a file of `explore`; undefined for anything else. Throws `Refused` if it is damaged. */
export function readFinding(path: string): ExploredFinding | undefined {
  let content: Partial<ExploredFinding> | null
  try {
    content = JSON.parse(textIn(path))
  } catch {
    return undefined
  }
  if (typeof content !== 'object' || content === null || !('findingVersion' in content)) return undefined
  const other = ofAnotherVersion(content, 'findingVersion')
  if (other !== undefined) throw new Refused(`${path} ${other}.`)
  const problems = schemaProblems(content, 'finding', path)
  if (problems.length > 0)
    throw new Refused([`${path} is not a finding as this version writes it:`, ...problems].join('\n'))
  return content as ExploredFinding
}

/** Removes the findings of an earlier exploration from a folder. */
export function forgetFindings(out: string): void {
  for (const file of readdirSync(out)) if (/^finding-model\.[\w.]+\.json$/.test(file)) rmSync(join(out, file))
}
