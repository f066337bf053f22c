import type { IdentityToken } from '../settings/configuration.ts'
import { textIn } from '../settings/setting-files.ts'
import { openPool } from './connections.ts'
import type { Secrets } from './secrets.ts'
import { exchangeOver } from './wire/exchange-over.ts'

/** GitHub Actions gave no identity token; what came instead. */
export class NoIdentityToken extends Error {
  override readonly name = 'NoIdentityToken'
}

/** The operator's identity token, read or requested again; throws where GitHub Actions gives none. */
export async function readIdentityToken(source: IdentityToken, secrets: Secrets): Promise<string> {
  const token =
    'value' in source
      ? source.value
      : 'file' in source
        ? textIn(source.file).trim()
        : await fromGithub(source.github, secrets)
  secrets.hide(token, '$RMAPI_IDENTITY_TOKEN')
  return token
}

/** Asks GitHub Actions for an identity token, as a job with the permission `id-token: write` may. */
async function fromGithub(
  { url, requestToken, audience }: Extract<IdentityToken, { github: object }>['github'],
  secrets: Secrets,
): Promise<string> {
  secrets.hide(requestToken, '$ACTIONS_ID_TOKEN_REQUEST_TOKEN')
  const asked = new URL(url)
  asked.searchParams.set('audience', audience)
  const pool = openPool({ embedded: false }, 1, false)
  try {
    const headers = { authorization: `Bearer ${requestToken}`, accept: 'application/json' }
    const { status, bytes } = await exchangeOver(pool, { method: 'GET', url: asked.href, headers }).catch(
      (error: Error) => {
        throw new NoIdentityToken(`${asked.origin}, where GitHub Actions gives them, does not answer: ${error.message}`)
      },
    )
    const text = bytes.toString('utf8')
    const token = status === 200 ? valueIn(text) : undefined
    if (token !== undefined) return token
    throw new NoIdentityToken(
      `GitHub Actions gave no identity token: ${asked.origin} answered ${status}: ${secrets.redact(text).slice(0, 200)}`,
    )
  } finally {
    await pool.close()
  }
}

function valueIn(body: string): string | undefined {
  try {
    const value: unknown = (JSON.parse(body) as { value?: unknown } | null)?.value
    return typeof value === 'string' && value !== '' ? value : undefined
  } catch {
    return undefined
  }
}
