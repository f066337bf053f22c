import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Command } from 'commander'
import { both, type Replacement } from '../../reference/replace.ts'
import { packageRoot, suite } from '../input/package.ts'
import { Refused } from '../input/refused.ts'

interface ServeFlags {
  port: string
  fault?: string[]
  variant?: string[]
  names?: boolean
  json?: boolean
}

/** Adds the verb `serve`. */
export function addServe(program: Command): void {
  program
    .command('serve')
    .description('run the reference server until Ctrl-C, and print the settings that examine it')
    .option('--port <number>', 'the port to listen on; 0 takes a free one', '0')
    .option('--fault <names...>', 'break one decision of the contract, or several at once')
    .option('--variant <names...>', 'take one open decision another way, or several at once')
    .option('--names', 'print the names of all faults and variants instead')
    .option('--json', 'with --names: as a JSON object, each fault with the requirements that find it')
    .addHelpText('after', `\nExample:\n  ${suite.name} serve --port 8080 --fault 'skip is not echoed'`)
    .action(serveCommand)
}

/** `serve`: runs the reference until a signal comes, and prints the settings that examine it. */
async function serveCommand({ port, fault, variant, names, json }: ServeFlags): Promise<void> {
  if (names) return await printNames(json)
  if (json) throw new Refused('--json goes with --names.')
  if (!/^\d{1,5}$/.test(port) || Number(port) > 65_535)
    throw new Refused(`--port is '${port}', not a port, for example --port 8080`)
  if (fault !== undefined && variant !== undefined)
    throw new Refused('--fault and --variant do not go together: choose one')
  const rules = await rulesNamed(fault, variant)
  const { startReference } = await import('../../reference/embed.ts')
  const { baseUrl, groupUid, registryGroupUid, nonemptyGroupUid, accessToken, clockUrl, close } = await startReference({
    port: Number(port),
    ...(rules ? { rules } : {}),
    openapi: openapiAt,
  }).catch((error: Error) => {
    throw new Refused(`Nothing can be served on port ${port}: ${error.message}`)
  })
  process.stdout.write(
    [
      `export RMAPI_BASE_URL=${baseUrl}`,
      `export RMAPI_GROUP_UID=${groupUid}`,
      `export RMAPI_ACCESS_TOKEN=${accessToken}`,
      `export RMAPI_REGISTRY_GROUP_UID=${registryGroupUid}`,
      `export RMAPI_NONEMPTY_GROUP_UID=${nonemptyGroupUid}`,
      '',
    ].join('\n'),
  )
  process.stderr.write(
    [
      'Serving until Ctrl-C. Copy the lines above into another terminal, then run there.',
      `The OpenAPI document of the contract is at ${baseUrl}/openapi.json`,
      "The next line lets a run move this server's clock for everyone: set it only if nothing else uses the server.",
      `export RMAPI_CLOCK_URL=${clockUrl}`,
      '',
    ].join('\n'),
  )
  await new Promise((stop) => {
    process.once('SIGINT', stop)
    process.once('SIGTERM', stop)
  })
  await close()
}

/** The OpenAPI document of the contract at the address of a server that exchanges tokens as well. */
function openapiAt(baseUrl: string): object {
  const text = readFileSync(join(packageRoot, 'schemas/openapi.json'), 'utf8')
  return JSON.parse(text, (name, value) => (name === 'servers' ? [{ url: baseUrl }] : value))
}

/** Loaded on demand: the hundreds of faults and variants cost the other verbs time and memory. */
const named = async () => ({
  ...(await import('../../reference/faults.ts')),
  ...(await import('../../reference/variants.ts')),
})

async function printNames(json = false): Promise<void> {
  const { faults, variants } = await named()
  if (json) {
    const all = {
      faults: faults.map(({ name, turnsRed }) => ({ name, turnsRed })),
      variants: variants.map(({ name }) => name),
    }
    process.stdout.write(`${JSON.stringify(all, null, 2)}\n`)
    return
  }
  const lines = (what: string, all: readonly { name: string }[]) => all.map(({ name }) => `${what} '${name}'\n`)
  process.stdout.write([...lines('--fault', faults), ...lines('--variant', variants)].join(''))
}

/** The rules of some faults, or of some variants, at once: of two that decide the same, the later counts. */
async function rulesNamed(
  faults: readonly string[] = [],
  variants: readonly string[] = [],
): Promise<Replacement | undefined> {
  if (faults.length + variants.length === 0) return undefined
  const { faultNamed, variantNamed } = await named()
  try {
    return [...faults.map(faultNamed), ...variants.map(variantNamed)].map(({ rules }) => rules).reduce(both)
  } catch (error) {
    throw new Refused((error as Error).message)
  }
}
