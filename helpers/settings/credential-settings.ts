import type { Assumed, Complain, Credentials, IdentityToken, StsSettings, Values } from './configuration.ts'
import { address } from './setting-checks.ts'
import { fileFrom } from './setting-files.ts'
import { mustBeToken } from './token-checks.ts'

/** Decides how the run gets its API token, and with what the exchange is examined. */
export function credentialsFrom(
  values: Values,
  environment: NodeJS.ProcessEnv,
  { baseUrl, authUrl }: { baseUrl: string; authUrl: string },
  complain: Complain,
): { credentials: Credentials; sts: StsSettings } {
  const { RMAPI_ACCESS_TOKEN: accessToken, RMAPI_IDENTITY_AUDIENCE: identityAudience = authUrl } = values
  const audience = values.RMAPI_AUDIENCE ?? baseUrl
  const issuerUrl = address(values, 'RMAPI_ISSUER_URL', complain)
  const { identityUid, identityToken } = pairFrom(values, environment, identityAudience, complain)
  const assumed = identityUid !== undefined && identityToken && { identityUid, audience, identityToken }

  if (accessToken) mustBeToken('RMAPI_ACCESS_TOKEN', accessToken, complain, values.RMAPI_CLOCK_URL !== undefined)
  else if (accessToken === undefined && identityUid === undefined && identityToken === undefined) {
    complain(
      'RMAPI_ACCESS_TOKEN',
      'is not set, nor RMAPI_IDENTITY_UID with an identity token: one of the two is needed',
    )
  }
  const credentials: Credentials = accessToken === undefined && assumed ? assumed : { accessToken: accessToken ?? '' }
  return {
    credentials,
    sts: { audience, identityAudience, ...(issuerUrl && { issuerUrl }), ...(assumed && { assumed }) },
  }
}

/** The operator's identity and where its token comes from; complains if only one of them is set. */
function pairFrom(
  values: Values,
  environment: NodeJS.ProcessEnv,
  audience: string,
  complain: Complain,
): Partial<Pick<Assumed, 'identityUid' | 'identityToken'>> {
  const { RMAPI_IDENTITY_UID: uid, RMAPI_IDENTITY_TOKEN: value, RMAPI_IDENTITY_TOKEN_FILE: file } = values
  if (uid === undefined && value === undefined && file === undefined) return {}
  const github = value === undefined && file === undefined ? githubFrom(environment, audience) : undefined
  if (uid === undefined) complain('RMAPI_IDENTITY_UID', 'is not set, although an identity token is')
  else if (value === undefined && file === undefined && github === undefined) {
    complain(
      'RMAPI_IDENTITY_TOKEN_FILE',
      'is not set, nor RMAPI_IDENTITY_TOKEN, nor is this a job of GitHub Actions with the permission id-token: write: the identity needs its token',
    )
  }
  const source = value === undefined ? 'RMAPI_IDENTITY_TOKEN_FILE' : 'RMAPI_IDENTITY_TOKEN'
  const token = value ?? fileFrom(file, source, complain)?.trim()
  if (token) mustBeToken(source, token, complain, values.RMAPI_CLOCK_URL !== undefined)
  else if (token === '' && value === undefined) complain(source, `names '${file}', which is empty`)
  return {
    identityUid: (uid ?? '').replace(/^\/+|\/+$/g, ''),
    identityToken: value === undefined ? (github ?? { file: file ?? '' }) : { value },
  }
}

/** What GitHub Actions gives a job that may request an identity token. */
function githubFrom(environment: NodeJS.ProcessEnv, audience: string): IdentityToken | undefined {
  const { ACTIONS_ID_TOKEN_REQUEST_URL: url, ACTIONS_ID_TOKEN_REQUEST_TOKEN: requestToken } = environment
  return url && requestToken ? { github: { url, requestToken, audience } } : undefined
}
