import { existsSync, statSync } from 'node:fs'
import { join } from 'node:path'
import type { Command } from 'commander'
import { visible } from '../../reports/text/visible-text.ts'
import { suite } from '../input/package.ts'
import { Refused } from '../input/refused.ts'
import { checkSubmission } from './check-submission.ts'

/** Adds the verb `verify`. */
export function addVerify(program: Command): void {
  program
    .command('verify')
    .description('check a submission: signature, digests, and the verdict recomputed from what was recorded')
    .argument('<submission>', 'the folder that certify wrote')
    .option('--key <file>', 'the public key as PEM that the submission must be signed with')
    .option('--json', 'print what was found as JSON')
    .addHelpText(
      'after',
      `
Exit codes: 0 everything fits, 1 something does not fit, 2 not a submission

Examples:
  ${suite.name} verify submission
  ${suite.name} verify submission --key vendor.pem`,
    )
    .action(verifyCommand)
}

/** `verify`: prints what does not fit in a submission. */
async function verifyCommand(folder: string, { key, json }: { key?: string; json?: boolean }): Promise<void> {
  if (!existsSync(folder) || !statSync(folder).isDirectory())
    throw new Refused(`${folder} is not a folder. Give the submission folder that 'certify' wrote.`)
  if (!existsSync(join(folder, 'report.json')) || !existsSync(join(folder, 'SHA256SUMS')))
    throw new Refused(`${folder} is not a submission: it must hold report.json and SHA256SUMS. 'certify' writes one.`)
  if (key !== undefined && !existsSync(key))
    throw new Refused(`There is no key ${key}: give the public key of the vendor, as PEM.`)
  const { problems, remarks } = await checkSubmission(folder, key)
  if (json) process.stdout.write(`${JSON.stringify({ valid: problems.length === 0, problems, remarks }, null, 2)}\n`)
  else {
    for (const problem of problems) process.stdout.write(`PROBLEM ${visible(problem)}\n`)
    for (const remark of remarks) process.stdout.write(`${visible(remark)}\n`)
    process.stdout.write(problems.length === 0 ? 'VALID\n' : `INVALID problems=${problems.length}\n`)
  }
  process.exitCode = problems.length === 0 ? 0 : 1
}
