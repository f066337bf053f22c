import type { SettingName } from './settings.ts'
/** Who is examined, and how the run reaches it. */
export interface Target {
  /** For the report: the operator's name for it, or the base URL. */
  name: string
  version: string
  /** True where the suite examines its own reference server. */
  embedded: boolean
  /** Without a trailing slash; may hold a path. */
  baseUrl: string
  authUrl: string
  /** The version segment of the paths. */
  apiVersion: string
  /** The operator's group, without outer slashes. */
  groupUid: string
  /** A group with repos, only ever read; without outer slashes. */
  registryGroupUid?: string
  /** A group with repos that may be lost; without outer slashes. */
  nonemptyGroupUid?: string
  /** Names and values from the operator's file; secrets. */
  headers: Record<string, string>
  /** PEM text. */
  ca?: string
  /** The hook that moves the target's clock (R2). */
  clockUrl?: string
  /** Where gRPC is served; by default the host of the base URL (S1.5). */
  grpcUrl?: string
  /** The beginning of the packages of its services; by default as published (S9.7). */
  grpcPackage?: string
  /** The version segment of those packages; by default that of the paths. */
  grpcVersion?: string
  /** A file with a FileDescriptorSet, instead of the published definitions. */
  protoDescriptors?: string
  /** Set where TLS offers only HTTP/2. */
  http2?: boolean
}

/** Where an identity token comes from: given directly, from a file, or from GitHub Actions. */
export type IdentityToken =
  | { value: string }
  | { file: string }
  | { github: { url: string; requestToken: string; audience: string } }

/** The operator's identity, and how to assume it (S5.3). */
export interface Assumed {
  identityUid: string
  /** The API that the token is for, as set (R58). */
  audience: string
  identityToken: IdentityToken
}

/** How the run gets its API token. */
export type Credentials = { accessToken: string } | Assumed

/** The settings for exchanges where the exchange itself is examined. */
export interface StsSettings {
  /** The API that a token is requested for, as set (R58). */
  audience: string
  /** The `aud` of identity tokens that the suite signs, or requests from GitHub Actions. */
  identityAudience: string
  /** Where the target reaches the suite's own token issuer; by default any free port of the loopback. */
  issuerUrl?: string
  /** The operator's identity, if set. */
  assumed?: Assumed
}

/** How the suite names itself to a target. */
export interface Agent {
  suite: string
  version: string
  run: string
}

/** All settings of a run, decided before the first request. */
export interface Config {
  target: Target
  credentials: Credentials
  sts: StsSettings
  /** The protocol of calls; HTTP by default. */
  transport?: 'grpc'
  /** Calls under way at once. */
  concurrency: number
  /** The most calls per second; `auto` follows the target's own headers. */
  rateLimit?: number | 'auto'
  /** How long the target may make no progress before the run ends, in milliseconds. */
  maxStall?: number
  /** How many requests the run may send, not counting cleanup. */
  maxRequests?: number
  /** Who is calling. */
  agent?: Agent
  seed: number
  /** Set where nothing may be sent that could change the target. */
  readOnly?: true
}

/** What the caller must do for the settings to make sense, all in one error. */
export class ConfigurationError extends Error {
  override readonly name = 'ConfigurationError'
  readonly problems: string[]

  constructor(problems: string[]) {
    super(problems.join('\n'))
    this.problems = problems
  }
}

/** Values by environment variable; flags first, then the environment, then `.env`. */
export type Values = Partial<Record<SettingName, string>>

/** Called with what is wrong with a setting. */
export type Complain = (name: SettingName, what: string) => void
