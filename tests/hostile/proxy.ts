import { request as ask, createServer, type IncomingHttpHeaders } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { Values } from '../../helpers/settings/configuration.ts'
import { type Reference, startReference } from '../../reference/embed.ts'
import type { Replacement } from '../../reference/replace.ts'

/** What passes a proxy on its way back. */
export interface Passing {
  method: string
  path: string
  /** What was sent. */
  sent: string
  headers: IncomingHttpHeaders
  status: number
  body: string
}

/** A reference behind a proxy that alters its answers, beside a neighbour whose things must stay as they are. */
export interface Watched {
  reference: Reference
  /** The settings of a run against it. */
  values: Values
  neighbour: { group: string; child: string; identity: string; binding: string }
  /** Every write that reached the proxy: method and path as they came. */
  writes: string[]
  /** Every request that reached it. */
  requests: { method: string; path: string; headers: IncomingHttpHeaders }[]
  /** The neighbour's things as they are now, as text. */
  neighbourNow(): string
  close(): void
}

/** Another body, a refusal's status, or a body beside further headers; undefined leaves the answer as it is. */
export type Altered = string | number | { status?: number; body: string; headers: Record<string, string> } | undefined

/** Starts a reference, a neighbour in it, and a proxy before it. */
export async function watched(
  alter: (passing: Passing, neighbour: Watched['neighbour']) => Altered,
  rules?: Replacement,
): Promise<Watched> {
  const reference = await startReference(rules ? { rules } : {})
  const { baseUrl, groupUid, accessToken, world } = reference
  const call = async (path: string, body: unknown) => {
    const answer = await fetch(`${baseUrl}/iam/v2beta1/${path}`, {
      method: body === undefined ? 'GET' : 'POST',
      headers: { authorization: `Bearer ${accessToken}`, 'content-type': 'application/json' },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    })
    // biome-ignore lint/suspicious/noExplicitAny: whatever the wire brings
    return (await answer.json()) as any
  }
  const { uid: group } = await call(`groups/${groupUid}`, { name: 'neighbour' })
  const { uid: child } = await call(`groups/${group}`, { name: 'of the neighbour' })
  const claimMatch = { issuer: 'https://issuer.test', subject: 'the neighbour' }
  const { uid: identity } = await call(`identities/${group}`, { name: 'neighbour', description: 'it', claimMatch })
  const roleUid = (await call('roles', undefined)).roles[0].uid
  const { uid: binding } = await call(`roleBindings/${group}`, { identityUid: identity, roleUid })
  const neighbour = { group, child, identity, binding }
  const [writes, requests]: [string[], Watched['requests']] = [[], []]
  const server = createServer((request, response) => {
    const { method = '', url: path = '', headers } = request
    requests.push({ method, path, headers })
    if (!['GET', 'HEAD', 'OPTIONS'].includes(method)) writes.push(`${method} ${path}`)
    let sent = ''
    const onward = ask(baseUrl + path, { method, headers }, (answer) => {
      const chunks: Buffer[] = []
      answer.on('data', (chunk) => chunks.push(chunk))
      answer.on('end', () => {
        const body = Buffer.concat(chunks).toString()
        const status = answer.statusCode ?? 500
        const other = alter({ method, path, sent, headers, status, body }, neighbour)
        const { 'content-length': _, 'transfer-encoding': __, ...rest } = answer.headers
        if (typeof other === 'number') response.writeHead(other, rest).end('{"code":13,"message":"no","details":[]}')
        else if (typeof other === 'object')
          response.writeHead(other.status ?? status, { ...rest, ...other.headers }).end(other.body)
        else response.writeHead(status, rest).end(other ?? body)
      })
    })
    request.on('data', (chunk) => {
      sent += chunk
    })
    request.pipe(onward.once('error', () => response.destroy()))
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const everything = () =>
    (['groups', 'identities', 'roleBindings'] as const).map((kind) =>
      [...world.store.all(kind)].filter(({ uid }) => [group, child, identity, binding].includes(uid)),
    )
  return {
    reference,
    neighbour,
    writes,
    requests,
    values: {
      RMAPI_BASE_URL: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
      RMAPI_GROUP_UID: groupUid,
      RMAPI_ACCESS_TOKEN: accessToken,
      RMAPI_SEED: '7',
    },
    neighbourNow: () => JSON.stringify(everything(), (name, value) => (name === 'lastSeenTime' ? undefined : value)),
    close() {
      server.closeAllConnections()
      server.close()
      void reference.close()
    },
  }
}
