/** One setting of the suite: environment variable, flag and the line that explains it. */
export interface Setting {
  /** The flag without dashes; absent for a secret, which is never given as a flag. */
  flag?: string
  says: string
  example: string
  /** A setting that describes the operator's target: with it, RMAPI_BASE_URL must be set. */
  ofTarget: boolean
  secret?: true
  /** A flag without a value. */
  isSwitch?: true
}

const target = (flag: string, example: string, says: string): Setting => ({
  flag,
  example,
  says,
  ofTarget: true,
})
const secret = (example: string, says: string): Setting => ({ example, says, ofTarget: true, secret: true })
const ofRun = (flag: string, example: string, says: string): Setting => ({
  flag,
  example,
  says,
  ofTarget: false,
})

/** Every setting by its environment variable, in the order of the documentation. */
export const settings = {
  RMAPI_BASE_URL: target(
    'base-url',
    'https://api.staging.example',
    'the API to examine; nothing set at all means the embedded reference server',
  ),
  RMAPI_GROUP_UID: target(
    'group-uid',
    '3f2a9c0d1e4b5a6978c0d1e2f3a4b5c6d7e8f901',
    'the group under which the run makes its scratch group; nothing outside that is ever written',
  ),
  RMAPI_ACCESS_TOKEN: secret('eyJhbGciOi…', 'an API token, sent as the bearer token'),
  RMAPI_IDENTITY_UID: target(
    'identity-uid',
    '3f2a…f901/0a1b2c3d4e5f6071',
    'an identity to assume by token exchange: it replaces the API token, or lets the exchange be examined beside it',
  ),
  RMAPI_IDENTITY_TOKEN: secret(
    'eyJhbGciOi…',
    'its identity token; with neither this nor a file, a GitHub Actions job requests its own',
  ),
  RMAPI_IDENTITY_TOKEN_FILE: target(
    'identity-token-file',
    '/var/run/secrets/oidc/token',
    'a file with its identity token, read again at each exchange',
  ),
  RMAPI_AUTH_URL: target(
    'auth-url',
    'https://auth.staging.example',
    'where tokens are exchanged (default: the base URL)',
  ),
  RMAPI_AUDIENCE: target(
    'audience',
    'https://api.staging.example',
    'the audience asked for in the exchange (default: the base URL)',
  ),
  RMAPI_VERSION: ofRun('api-version', 'v2', 'the version segment of the paths (default: v2beta1)'),
  RMAPI_TARGET_NAME: target('target-name', 'Example IAM', 'the name of the server in the report'),
  RMAPI_TARGET_VERSION: target('target-version', '2026.11.3', 'the version of the server in the report'),
  RMAPI_HEADERS_FILE: target(
    'headers-file',
    './gateway-headers.txt',
    'headers to add to every call, a line each: Name: value (never shown in a report)',
  ),
  RMAPI_CA_FILE: target('ca-file', './staging-ca.pem', 'a PEM file with further certificate authorities'),
  RMAPI_REGISTRY_GROUP_UID: target(
    'registry-group-uid',
    '3f2a9c0d1e4b5a6978c0d1e2f3a4b5c6d7e8f901/5d2e7a10c4b38f69',
    'a group with repos, tags or advisories in it or below it: only ever read',
  ),
  RMAPI_NONEMPTY_GROUP_UID: target(
    'nonempty-group-uid',
    '3f2a9c0d1e4b5a6978c0d1e2f3a4b5c6d7e8f901/9b1c44e07fa2d836',
    'another group with repos, which may be lost: the run tries to delete it, which must be refused',
  ),
  RMAPI_CLOCK_URL: target(
    'clock-url',
    'http://127.0.0.1:8080/clock',
    'a hook: POST {"advanceSeconds": n} moves the clock of a target that the run has to itself',
  ),
  RMAPI_ISSUER_URL: target(
    'issuer-url',
    'http://192.0.2.7:9000',
    "the address at which the target reaches the suite's own token issuer; it listens on that port (default: a free port of the loopback)",
  ),
  RMAPI_IDENTITY_AUDIENCE: target(
    'identity-audience',
    'https://auth.staging.example',
    'the audience of the identity tokens that the suite signs, or asks GitHub Actions for (default: the auth URL)',
  ),
  RMAPI_GRPC_URL: target(
    'grpc-url',
    'https://grpc.staging.example',
    'where gRPC is served (default: the host of the base URL)',
  ),
  RMAPI_GRPC_PACKAGE: target(
    'grpc-package',
    'example.platform',
    'what the packages of its gRPC services begin with (default: chainguard.platform)',
  ),
  RMAPI_GRPC_VERSION: target(
    'grpc-version',
    'v2',
    'the version segment of those packages (default: that of the paths)',
  ),
  RMAPI_PROTO_DESCRIPTORS: target(
    'proto-descriptors',
    './api.binpb',
    'a FileDescriptorSet that describes its gRPC services, in place of the published definitions',
  ),
  RMAPI_TRANSPORT: ofRun(
    'transport',
    'grpc',
    'the protocol of the calls, http or grpc; over gRPC, requirements about HTTP itself are left out (default: http)',
  ),
  RMAPI_CONCURRENCY: ofRun('concurrency', '16', 'calls under way at once (default: 32)'),
  RMAPI_RATE_LIMIT: ofRun(
    'rate-limit',
    '50',
    "calls a second at the most, or auto to follow the target's RateLimit headers (default: no limit)",
  ),
  RMAPI_MAX_REQUESTS: ofRun('max-requests', '20000', 'end the run before it sends more requests (default: no limit)'),
  RMAPI_MAX_STALL: ofRun('max-stall', '3m', 'end the run after this long without an answer (default: 3m)'),
  RMAPI_INSECURE_HTTP: {
    ...ofRun(
      'insecure-http',
      'true',
      'send the token over plain http to a host that is not this machine (default: refused)',
    ),
    isSwitch: true,
  },
  RMAPI_SEED: ofRun('seed', '42', 'the seed of the generated inputs (default: a new one each run)'),
} as const satisfies Record<string, Setting>

/** The environment variable of a setting. */
export type SettingName = keyof typeof settings
