import { chmodSync, existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname } from 'node:path'
import { createInterface } from 'node:readline'
import type { Command } from 'commander'
import { parse } from 'dotenv'
import type { Values } from '../../helpers/settings/configuration.ts'
import { readConfig } from '../../helpers/settings/read-configuration.ts'
import { textIn } from '../../helpers/settings/setting-files.ts'
import { type SettingName, settings } from '../../helpers/settings/settings.ts'
import { suite } from '../input/package.ts'
import { Refused } from '../input/refused.ts'

/** What `init` asks for, in this order; never the token. */
const asked: { name: SettingName; optional?: true }[] = [
  { name: 'RMAPI_BASE_URL' },
  { name: 'RMAPI_GROUP_UID' },
  { name: 'RMAPI_TARGET_NAME' },
  { name: 'RMAPI_REGISTRY_GROUP_UID', optional: true },
]
const workflow = '.github/workflows/conformance.yml'

/** Adds the verb `init`. */
export function addInit(program: Command): void {
  program
    .command('init')
    .description('ask for the target, and write .env and a workflow for GitHub Actions')
    .option('--yes', 'ask nothing: take values from the environment, or else examples to replace')
    .option('--force', 'write the files again if they already exist; what .env sets besides is kept')
    .addHelpText(
      'after',
      `
The token is never asked for: put it into .env on your own machine, which must stay out of version control, and into the
secret store of your CI as RMAPI_ACCESS_TOKEN.

Example:
  ${suite.name} init`,
    )
    .action(initCommand)
}

/** `init`: writes the two files. */
async function initCommand({ yes = false, force = false }: { yes?: boolean; force?: boolean }): Promise<void> {
  const there = ['.env', workflow].filter((file) => existsSync(file))
  if (there.length > 0 && !force)
    throw new Refused(`${there.join(' and ')} would be overwritten: add --force, or remove it.`)
  const before = existsSync('.env') ? oldEnv() : ''
  const set = parse(before)
  const answers = [...(yes ? defaults(set) : await ask(set)), ...overHttp()]
  const problems = answers.flatMap(([name, value]) =>
    fits(value) ? [] : [`${name} cannot hold a quote, a line break or \${{`],
  )
  if (problems.length > 0) throw new Refused(problems.join('\n'))
  // what a run would refuse is refused before it is written down; the token comes later
  readConfig({ ...Object.fromEntries(answers), RMAPI_ACCESS_TOKEN: 'later' })
  write('.env', before === '' ? envOf(answers) : updated(before, answers))
  write(workflow, workflowOf(answers))
  const ignored = existsSync('.gitignore') && /^\.env$/m.test(readFileSync('.gitignore', 'utf8'))
  const kept = Object.keys(set).filter((name) => !answers.some(([answered]) => answered === name))
  const needsToken = set.RMAPI_ACCESS_TOKEN === undefined
  process.stdout.write(
    [
      `Written: .env, ${workflow}`,
      ...(kept.length > 0 ? [`Kept as .env had them: ${kept.join(', ')}`] : []),
      `The workflow installs by your lockfile: keep ${suite.name} ${suite.version} among your devDependencies, and commit package-lock.json.`,
      `Next: put the token into ${needsToken ? '.env as RMAPI_ACCESS_TOKEN, and into the secrets of the repository under the same name' : 'the secrets of the repository as RMAPI_ACCESS_TOKEN'}.`,
      ...(ignored ? [] : ['Add a line .env to .gitignore: a token must not get into version control.']),
      `Then: npx --no-install ${suite.name} run`,
      '',
    ].join('\n'),
  )
}

type Answers = [SettingName, string][]

/** The permission to send a token over plain http, which the environment alone gives. */
function overHttp(): Answers {
  const { RMAPI_INSECURE_HTTP: value } = process.env
  return value === undefined ? [] : [['RMAPI_INSECURE_HTTP', value]]
}

/** The old file; what cannot be read is not replaced. */
function oldEnv(): string {
  try {
    return textIn('.env')
  } catch (error) {
    throw new Refused(`.env cannot be read, and might hold a token: ${(error as Error).message}. Move it away.`)
  }
}

function defaults(set: Values): Answers {
  return asked.flatMap(({ name, optional }): Answers => {
    const value = process.env[name] ?? set[name] ?? (optional ? '' : settings[name].example)
    return value === '' ? [] : [[name, value]]
  })
}

async function ask(set: Values): Promise<Answers> {
  const lines = createInterface({ input: process.stdin })[Symbol.asyncIterator]()
  const answers: Answers = []
  for (const { name, optional } of asked) {
    const usual = process.env[name] ?? set[name] ?? ''
    const hint = usual ? ` [${usual}]` : optional ? ' [none]' : `, for example ${settings[name].example}`
    process.stderr.write(`${name}: ${settings[name].says}${hint}: `)
    const { value = '', done } = await lines.next()
    const answer = String(value).trim() || usual
    if (answer === '' && !optional)
      throw new Refused(`${done ? '\n' : ''}${name} is needed. '--yes' writes examples to be replaced.`)
    if (answer !== '') answers.push([name, answer])
  }
  process.stdin.destroy()
  return answers
}

/** Text that is literal in .env and in YAML, and that no workflow expands. */
const fits = (value: string) => !/["'\\\r\n`]|\$\{\{/.test(value)

function envOf(answers: Answers): string {
  return [
    ...answers.map(([name, value]) => `# ${settings[name].says}\n${name}='${value}'`),
    `# ${settings.RMAPI_ACCESS_TOKEN.says}; keep this file out of version control\n# RMAPI_ACCESS_TOKEN=`,
    '',
  ].join('\n')
}

/** The old file with the new answers: all other lines stay as they are, a token among them. */
function updated(before: string, answers: Answers): string {
  let text = before.replace(/\r?\n?$/, '\n')
  for (const [name, value] of answers) {
    const line = new RegExp(`^([ \\t]*(?:export[ \\t]+)?)${name}[ \\t]*[=:].*$`, 'gm')
    const written = `${name}='${value}'`
    text = line.test(text) ? text.replace(line, (_, start: string) => start + written) : `${text}${written}\n`
  }
  return text
}

function workflowOf(answers: Answers): string {
  const [major] = process.versions.node.split('.')
  return `# Examines the target every night, and on request. The token comes from the secrets of the repository.
name: conformance
on:
  schedule:
    - cron: '17 3 * * *'
  workflow_dispatch:
permissions:
  contents: read
concurrency: conformance
jobs:
  conformance:
    runs-on: ubuntu-latest
    timeout-minutes: 30
    env:
${answers.map(([name, value]) => `      ${name}: "${value}"`).join('\n')}
    steps:
      - uses: actions/checkout@v4
      - uses: actions/setup-node@v4
        with:
          node-version: ${Number(major) >= 22 ? major : 22}
      # by the lockfile, without scripts, and in a step that has no token: nothing is fetched by its name beside one
      - name: install
        run: npm ci --ignore-scripts
      - name: examine
        run: npx --no-install ${suite.name} run --max-time 20m --out conformance
        env:
          RMAPI_ACCESS_TOKEN: \${{ secrets.RMAPI_ACCESS_TOKEN }}
      - name: keep the report
        if: always()
        uses: actions/upload-artifact@v4
        with:
          name: conformance
          path: conformance
`
}

function write(file: string, text: string): void {
  try {
    mkdirSync(dirname(file), { recursive: true })
    // an old one may be readable to others
    if (file === '.env' && existsSync(file)) chmodSync(file, 0o600)
    writeFileSync(file, text, file === '.env' ? { mode: 0o600 } : {})
  } catch (error) {
    throw new Refused(`${file} cannot be written: ${(error as Error).message}`)
  }
}
