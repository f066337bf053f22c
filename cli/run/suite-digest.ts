import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Config } from '../../helpers/settings/configuration.ts'
import { digestOf, sha256 } from '../../reports/model/digests.ts'
import { present } from '../../schemas/present.ts'
import type { Report } from '../../schemas/types.ts'
import { collectHeaders } from '../input/collect.ts'
import { packageRoot, suite } from '../input/package.ts'

/** What is shipped and takes part in an examination: the compiled suite, its schemas and its contract. */
const shipped = ['dist', 'schemas', 'specs/contract.md', 'package.json']
/** What is not shipped, or takes no part in an examination. */
const beside = /^dist\/(bench|tests)\/|\.map$|\.d\.ts$|(^|\/)\.|^schemas\/\w+\.ts$/

let known: Record<string, string> | undefined

/** The digests of the shipped files of the suite, by path: the same wherever it is built from the same sources. */
function suiteFiles(): Record<string, string> {
  known ??= digestsOf(packageRoot)
  return known
}

/** The digest of each file that takes part in an examination, in the package at `root`. */
export function digestsOf(root: string): Record<string, string> {
  const files = shipped.flatMap((path) => filesBelow(root, path)).filter((path) => !isStale(root, path))
  return Object.fromEntries(files.sort().map((path) => [path, fileDigest(root, path)]))
}

/** True in a checkout for a file that was compiled from a source that no longer exists. */
function isStale(root: string, path: string): boolean {
  const source = /^dist\/(.+)\.js$/.exec(path)?.[1]
  if (source === undefined || !existsSync(join(root, 'cli/main.ts'))) return false
  return !['ts', 'tsx'].some((ending) => existsSync(join(root, `${source}.${ending}`)))
}

function fileDigest(root: string, path: string): string {
  // an installer may rewrite the manifest: only its name and version count
  const bytes = readFileSync(join(root, path))
  if (path !== 'package.json') return sha256(bytes)
  const { name, version } = JSON.parse(bytes.toString('utf8')) as Record<string, string>
  return digestOf({ name, version })
}

function filesBelow(root: string, path: string): string[] {
  const full = join(root, path)
  if (!existsSync(full)) return []
  if (/\.\w+$/.test(path)) return beside.test(path) ? [] : [path]
  return readdirSync(full).flatMap((name) => filesBelow(root, `${path}/${name}`))
}

/** The settings of a run that are not secret; without the address of the embedded reference, whose port varies. */
function shownConfiguration(config: Config): Record<string, unknown> {
  const { target, credentials, sts, agent: _, ...pace } = config
  const { name, version, embedded, headers, ca, clockUrl, baseUrl, authUrl, grpcUrl, ...named } = target
  return {
    ...pace,
    name,
    version,
    embedded,
    ...named,
    ...(embedded ? {} : { baseUrl, authUrl, ...present({ grpcUrl }), ...audiences(sts) }),
    headers: Object.keys(headers).sort(),
    ownAuthorities: ca !== undefined,
    movesClock: clockUrl !== undefined,
    token: 'accessToken' in credentials ? 'set' : 'exchanged',
  }
}

function audiences({ audience, identityAudience }: Config['sts']): Record<string, string> {
  return { audience, identityAudience }
}

/** This suite, as a report made by it must describe it. */
export async function thisSuite() {
  const headers = await collectHeaders()
  const ids = headers.map(({ id }) => id)
  const parts = Object.fromEntries(headers.map(({ id, profile = 'core' }) => [id, profile]))
  const levels = Object.fromEntries(headers.map(({ id, level }) => [id, level]))
  return { version: suite.version, ids, parts, levels, files: suiteFiles(), contract: contractDigest() }
}

/** The digest of the contract that this version of the suite examines. */
function contractDigest(): string {
  return sha256(readFileSync(join(packageRoot, 'specs/contract.md')))
}

/** What a report says about the suite and the settings that it was made with. */
export function tracesOf(config: Config): Required<Pick<Report, 'configuration' | 'digests'>> {
  const configuration = shownConfiguration(config)
  const files = suiteFiles()
  const digests = {
    suite: digestOf(files),
    files,
    contract: contractDigest(),
    configuration: digestOf(configuration),
    exchanges: '',
  }
  return { configuration, digests }
}
