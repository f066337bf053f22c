import { type Config, ConfigurationError, type Values } from '../../helpers/settings/configuration.ts'
import { readConfig, runSettings, wantsEmbedded } from '../../helpers/settings/read-configuration.ts'
import type { Reference } from '../../reference/embed.ts'
import type { Replacement } from '../../reference/replace.ts'
import { suite } from '../input/package.ts'
import { preflight } from './preflight.ts'

/** A target that may be examined. */
export interface OpenTarget {
  config: Config
  /** What the operator should know before the run, a line each. */
  remarks: string[]
  /** How many requests that took. */
  requests: number
  /** Ends the embedded reference; leaves any other target alone. */
  close(): Promise<void>
}

/** A reference that may run in another process. */
export type Running = Omit<Reference, 'world' | 'close'>

/** The embedded reference: with rules other than the contract's, or one that is already running. */
export type Embedded = { rules: Replacement } | { running: Running }

/**
 * Opens the target that the settings describe, or else the embedded reference, and makes sure that
 * it can be examined at all. Throws `ConfigurationError`, or `Refused` with one line.
 */
export async function openTarget(values: Values, embedded?: Embedded, run = 'none'): Promise<OpenTarget> {
  const { config: eventually, close } = wantsEmbedded(values)
    ? await openReference(values, embedded)
    : { config: readConfig(values, process.env), close: async () => {} }
  const config = Object.freeze({ ...eventually, agent: { suite: suite.name, version: suite.version, run } })
  try {
    return { ...(await preflight(config)), close }
  } catch (error) {
    await close()
    throw error
  }
}

async function openReference(
  values: Values,
  embedded: Embedded = { rules: () => ({}) },
): Promise<Pick<OpenTarget, 'config' | 'close'>> {
  const problems: string[] = []
  const { apiVersion, pace } = runSettings(values, problems)
  if (problems.length > 0) throw new ConfigurationError(problems)
  const { startReference } = await import('../../reference/embed.ts')
  const { baseUrl, accessToken, clockUrl, close, ...groups } =
    'running' in embedded ? { ...embedded.running, close: async () => {} } : await startReference(embedded)
  const { groupUid, registryGroupUid, nonemptyGroupUid } = groups
  const target = {
    name: 'embedded reference',
    version: suite.version,
    embedded: true,
    baseUrl,
    authUrl: baseUrl,
    apiVersion,
    groupUid,
    registryGroupUid,
    nonemptyGroupUid,
    headers: {},
    clockUrl,
  }
  const sts = { audience: baseUrl, identityAudience: baseUrl }
  return { config: Object.freeze({ target, credentials: { accessToken }, sts, ...pace }), close }
}
