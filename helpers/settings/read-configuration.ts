import { present } from '../../schemas/present.ts'
import { type Complain, type Config, ConfigurationError, type Target, type Values } from './configuration.ts'
import { credentialsFrom } from './credential-settings.ts'
import { didYouMean } from './did-you-mean.ts'
import { grpcSettings, transportIn } from './grpc-settings.ts'
import { address, mustNotLeak, proxyProblems } from './setting-checks.ts'
import { fileFrom, headersFrom, isPem } from './setting-files.ts'
import { type Setting, type SettingName, settings } from './settings.ts'

/** Merges flags over the environment over `.env`; refuses a name that is not a setting. */
export function mergeSettings(flags: Values, environment: NodeJS.ProcessEnv, file: Values): Values {
  const names = Object.keys(settings) as SettingName[]
  const strangers = [...Object.keys(environment), ...Object.keys(file)].filter(
    (name) => name.startsWith('RMAPI_') && !(name in settings),
  )
  const problems = strangers.map((name) => {
    const meant = didYouMean(name, names)
    return `${name} is no setting. ${meant ? `Did you mean ${meant}?` : `There are: ${names.join(', ')}.`}`
  })
  if (problems.length > 0) throw new ConfigurationError(problems)
  const merged: Values = {}
  for (const name of names) {
    const value = flags[name] ?? environment[name] ?? file[name]
    if (value !== undefined) merged[name] = value.trim()
  }
  return merged
}

/** True where no setting describes a target: the embedded reference is examined. */
export function wantsEmbedded(values: Values): boolean {
  return !Object.entries(settings).some(([name, { ofTarget }]) => ofTarget && name in values)
}

/**
 * Builds the configuration for an operator's target, or throws one `ConfigurationError` with every problem. The
 * environment holds what GitHub Actions gives a job to request an identity token.
 */
export function readConfig(values: Values, environment: NodeJS.ProcessEnv = {}): Config {
  const problems: string[] = []
  const complain = (name: SettingName, what: string) => {
    const { flag, example }: Setting = settings[name]
    problems.push(`${name}${flag ? ` (--${flag})` : ''} ${what}, for example ${name}=${example}`)
  }
  for (const name of Object.keys(values) as SettingName[]) {
    if (values[name] === '') complain(name, 'is empty: give it a value or leave it out')
  }

  const baseUrl = address(values, 'RMAPI_BASE_URL', complain)
  if (values.RMAPI_BASE_URL === undefined) {
    complain(
      'RMAPI_BASE_URL',
      wantsEmbedded(values) ? 'is not set' : 'is not set, although other settings describe a target',
    )
  }
  const authUrl = address(values, 'RMAPI_AUTH_URL', complain) || baseUrl
  const clockUrl = address(values, 'RMAPI_CLOCK_URL', complain)
  const grpcUrl = address(values, 'RMAPI_GRPC_URL', complain)
  const grpc = grpcSettings(values, complain)
  const groups = groupsIn(values, complain)
  const headers = headersFrom(values.RMAPI_HEADERS_FILE, complain)
  mustNotLeak(values, Object.keys(headers).length > 0, complain)
  const ca = fileFrom(values.RMAPI_CA_FILE, 'RMAPI_CA_FILE', complain)
  if (ca !== undefined && !isPem(ca)) {
    complain('RMAPI_CA_FILE', 'holds no PEM certificate')
  }
  const { credentials, sts } = credentialsFrom(values, environment, { baseUrl, authUrl }, complain)
  const run = runSettings(values, problems)
  problems.push(...proxyProblems(environment))
  if (problems.length > 0) throw new ConfigurationError(problems)
  return Object.freeze({
    target: {
      name: values.RMAPI_TARGET_NAME ?? baseUrl,
      version: values.RMAPI_TARGET_VERSION ?? 'not stated',
      embedded: false,
      baseUrl,
      authUrl,
      apiVersion: run.apiVersion,
      ...groups,
      headers,
      ...present({ ca }),
      ...(grpcUrl === '' ? {} : { grpcUrl }),
      ...grpc,
      ...(clockUrl === '' ? {} : { clockUrl }),
    },
    credentials,
    sts,
    ...run.pace,
  })
}

const bare = (uid = '') => uid.replace(/^\/+|\/+$/g, '')

/** The groups that the settings name. */
function groupsIn(
  values: Values,
  complain: Complain,
): Pick<Target, 'groupUid' | 'registryGroupUid' | 'nonemptyGroupUid'> {
  const groupUid = bare(values.RMAPI_GROUP_UID)
  const [registryGroupUid, nonemptyGroupUid] = namedGroups(values, groupUid, complain)
  if (values.RMAPI_GROUP_UID === undefined) complain('RMAPI_GROUP_UID', 'is not set')
  else if (values.RMAPI_GROUP_UID && !isUid(groupUid))
    complain('RMAPI_GROUP_UID', `is '${values.RMAPI_GROUP_UID}', not the uid of a group`)
  return { groupUid, ...(registryGroupUid && { registryGroupUid }), ...(nonemptyGroupUid && { nonemptyGroupUid }) }
}

/** The group to read repos in, and the one that may be lost: no other group in the settings may be lost with it. */
function namedGroups(values: Values, groupUid: string, complain: Complain): [string, string] {
  const names = ['RMAPI_REGISTRY_GROUP_UID', 'RMAPI_NONEMPTY_GROUP_UID'] as const
  const [registry, doomed] = names.map((name) => bare(values[name])) as [string, string]
  for (const [index, uid] of [registry, doomed].entries()) {
    const name = names[index]!
    if (values[name] && !isUid(uid)) complain(name, `is '${values[name]}', not the uid of a group`)
  }
  const others = { RMAPI_GROUP_UID: groupUid, RMAPI_REGISTRY_GROUP_UID: registry }
  const held = Object.entries(others).find(([, uid]) => `${uid}/`.toLowerCase().startsWith(`${doomed}/`.toLowerCase()))
  if (doomed !== '' && held)
    complain('RMAPI_NONEMPTY_GROUP_UID', `may be lost, and ${held.join(' ')} would be lost with it: name another group`)
  return [registry, doomed]
}

const numbers = ['RMAPI_CONCURRENCY', 'RMAPI_RATE_LIMIT', 'RMAPI_MAX_REQUESTS', 'RMAPI_SEED'] as const

/** The settings that hold for any target, the embedded one included. */
export function runSettings(values: Values, problems: string[]) {
  const whole = (name: (typeof numbers)[number], least: number, or = '') => {
    const value = values[name]
    if (value === undefined) return undefined
    if (/^\d{1,9}$/.test(value) && Number(value) >= least) return Number(value)
    const { flag, example } = settings[name]
    problems.push(
      `${name} (--${flag}) is '${value}', not a whole number from ${least} to 999999999${or}, for example ${name}=${example}`,
    )
    return undefined
  }
  const apiVersion = values.RMAPI_VERSION ?? 'v2beta1'
  if (!/^v\d+[a-z0-9]*$/.test(apiVersion)) {
    problems.push(
      `RMAPI_VERSION (--api-version) is '${apiVersion}', not a version segment, for example RMAPI_VERSION=v2`,
    )
  }
  const auto = values.RMAPI_RATE_LIMIT === 'auto'
  const rateLimit = auto ? ('auto' as const) : whole('RMAPI_RATE_LIMIT', 1, ' or auto')
  const maxRequests = whole('RMAPI_MAX_REQUESTS', 1)
  const maxStall = stallIn(values, problems)
  const transport = transportIn(values, problems)
  const pace = {
    ...transport,
    concurrency: whole('RMAPI_CONCURRENCY', 1) ?? 32,
    seed: whole('RMAPI_SEED', 0) ?? Math.floor(Math.random() * 1e9),
    ...present({ rateLimit, maxRequests, maxStall }),
  }
  return { apiVersion, pace }
}

/** How long calls may go without an answer, in milliseconds; complains where that is not a duration. */
function stallIn({ RMAPI_MAX_STALL: value }: Values, problems: string[]): number | undefined {
  if (value === undefined) return undefined
  const [, number, unit = ''] = /^(\d{1,6})(s|m|h)$/.exec(value) ?? []
  const ms = Number(number) * ({ s: 1_000, m: 60_000, h: 3_600_000 }[unit] ?? Number.NaN)
  if (ms >= 1_000 && ms < 2 ** 31) return ms
  problems.push(
    `RMAPI_MAX_STALL (--max-stall) is '${value}', not a duration of a second or more, for example RMAPI_MAX_STALL=3m`,
  )
  return undefined
}

/** Segments joined by slashes, none of which has another meaning in a path. */
const isUid = (text: string) => text.split('/').every((segment) => /^(?!\.{1,2}$)[\x21-\x7e]+$/.test(segment))
