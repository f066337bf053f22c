import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { TestProject } from 'vitest/node'
import { valuesOf } from '../../input/flags.ts'
import { everything } from '../../input/selections.ts'
import { headerOf, leftIn, sweepJournal } from '../sweep-journal.ts'
import { openTarget } from '../target.ts'

/** Opens the target of the environment for `npx vitest --project contract`, and sweeps it at the end. */
export async function setup(project: TestProject): Promise<() => Promise<void>> {
  const { config, remarks, close } = await openTarget(valuesOf({}))
  for (const remark of remarks) process.stderr.write(`${remark}\n`)
  const folder = mkdtempSync(join(tmpdir(), 'rmapi-'))
  const journal = join(folder, 'journal.jsonl')
  project.provide('run', { config, journal, header: headerOf(config, crypto.randomUUID().slice(0, 8)) })
  project.provide('selection', everything)
  return async () => {
    const left = leftIn(await sweepJournal(config, journal))
    await close()
    if (left.length === 0) rmSync(folder, { recursive: true, force: true })
    else process.stderr.write(`Left behind: ${left.join(', ')}; the journal is ${journal}\n`)
  }
}
