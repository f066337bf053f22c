import { subscribe, unsubscribe } from 'node:diagnostics_channel'
import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Command } from 'commander'
import type { Profile } from '../../helpers/requirement/header.ts'
import { type Selection, selected } from '../../helpers/requirement/selection.ts'
import { checkSelection, collectHeaders } from '../input/collect.ts'
import { suite } from '../input/package.ts'
import { selectionOf } from '../input/selections.ts'

/** What one part of the service would be asked. */
interface PlannedPart {
  profile: Profile
  requirements: { must: number; should: number; observe: number }
  requests: number
  writes: number
  /** The rights that the token needs, by kind; for a whole part, those in the table of rights. */
  rights: string[]
}

interface PlanFlags {
  only?: string[]
  skip?: string[]
  profile?: string[]
  json?: boolean
}

/** Adds the verb `plan`. */
export function addPlan(program: Command): void {
  program
    .command('plan')
    .description('show how many calls a run makes and which permissions it needs (sends nothing)')
    .option('--only <ids...>', 'only these requirements, by id or glob; @file lists one per line')
    .option('--skip <ids...>', 'all except these requirements, by id or glob; @file lists one per line')
    .option('--profile <names...>', 'only these parts of the service')
    .option('--json', 'as a JSON array')
    .addHelpText(
      'after',
      `
The calls are counted on the embedded reference, part by part, with every permission. A target that lists in smaller
pages or lags gets more calls, one that refuses operations fewer. Each part makes a scratch group and deletes it, so a
whole run sends less than the sum. The rights are those that were used there; all writes are below RMAPI_GROUP_UID.

Examples:
  ${suite.name} plan
  ${suite.name} plan --profile core identities --json`,
    )
    .action(planCommand)
}

/** `plan`: prints requirements, calls, writes and rights of each part. */
async function planCommand(flags: PlanFlags): Promise<void> {
  const parts = await plannedParts(selectionOf(flags))
  process.stdout.write(flags.json ? `${JSON.stringify(parts, null, 2)}\n` : textOf(parts))
}

/** What each part of the service would be asked, counted on the embedded reference. */
export async function plannedParts(selection: Selection): Promise<PlannedPart[]> {
  for (const remark of await checkSelection(selection)) process.stderr.write(`${remark}\n`)
  const headers = (await collectHeaders()).filter((header) => selected(header, selection))
  const profiles = [...new Set(headers.map(({ profile = 'core' }) => profile))]
  const { runSuite } = await import('../run/run-suite.ts')
  const parts: PlannedPart[] = []
  for (const profile of profiles) {
    const own = headers.filter((header) => (header.profile ?? 'core') === profile)
    const count = (level: string) => own.filter((header) => header.level === level).length
    const requirements = { must: count('must'), should: count('should'), observe: count('observe') }
    const calls = await counted(() =>
      runSuite({ values: { RMAPI_SEED: '1' }, selection: { ...selection, profiles: [profile] } }),
    )
    parts.push({ profile, requirements, ...calls })
  }
  return parts
}

/** Counts what reaches the servers of this process while something runs. */
async function counted(run: () => Promise<unknown>): Promise<Pick<PlannedPart, 'requests' | 'writes' | 'rights'>> {
  let [requests, writes] = [0, 0]
  const rights = new Map<string, Set<string>>()
  const heard = (message: unknown) => {
    const { request, response } = message as { request: IncomingMessage; response: ServerResponse }
    const { method = '', url = '' } = request
    const [, kind, one] = /^\/(?:iam|registry|vulnerabilities)\/(v\w+\/\w+)(\/[^?])?/.exec(url) ?? []
    if (kind === undefined) return
    requests++
    if (!safe.includes(method)) writes++
    const operation = method === 'GET' ? (one ? 'get' : 'list') : operations[method]
    if (operation === undefined || response.statusCode > 299) return
    const name = kind.replace(/^v2\w*\//, '').replace('/', ' ')
    rights.set(name, (rights.get(name) ?? new Set()).add(operation))
  }
  subscribe('http.server.response.finish', heard)
  try {
    await run()
  } finally {
    unsubscribe('http.server.response.finish', heard)
  }
  const lines = [...rights].map(([kind, of]) => `${kind}: ${order.filter((operation) => of.has(operation)).join(', ')}`)
  return { requests, writes, rights: lines.sort() }
}

const safe = ['GET', 'HEAD', 'OPTIONS']
const operations: Record<string, string> = {
  POST: 'create',
  PATCH: 'update',
  PUT: 'update',
  DELETE: 'delete',
}
const order = ['list', 'get', 'create', 'update', 'delete']

function textOf(parts: readonly PlannedPart[]): string {
  const lines = parts.flatMap(({ profile, requirements: { must, should, observe }, requests, writes, rights }) => [
    `${profile.padEnd(16)} must ${must}, should ${should}, observe ${observe}: about ${requests} requests, ${writes} of them writes`,
    ...rights.map((right) => `  ${right}`),
  ])
  const sum = (of: (part: PlannedPart) => number) => parts.reduce((total, part) => total + of(part), 0)
  const all = sum(({ requirements: { must, should, observe } }) => must + should + observe)
  return `${lines.join('\n')}\nPLAN requirements=${all} requests=${sum(({ requests }) => requests)} writes=${sum(({ writes }) => writes)}\n`
}
