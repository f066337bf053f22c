import type { RequestListener } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { At, World } from './domain/at.ts'
import { type Organization, seedElsewhere, seedOrganization, seedRoles } from './domain/seed/organizations.ts'
import { createService } from './domain/service.ts'
import { grpcHandler, isOfGrpc } from './grpc/handler.ts'
import { httpHandler } from './http/app.ts'
import { clockPath } from './http/clock.ts'
import { type Certificate, openFront } from './http/front.ts'
import { createIssuer, exchangeIn } from './identity/issuer.ts'
import type { Replacement } from './replace.ts'
import { contract } from './rules.ts'

/** How a reference is started; every member is optional. */
export interface ReferenceOptions {
  /** 0, the default, takes a free one. */
  readonly port?: number
  readonly host?: string
  /** What a fault or a variant puts in place of the contract's rules. */
  readonly rules?: Replacement
  /** How many more groups the organization holds, in a part where no run looks. */
  readonly elsewhere?: number
  /** Served over TLS, where ALPN chooses HTTP/1.1 or HTTP/2. */
  readonly tls?: Certificate
  /** Returns what `GET /openapi.json` answers at a base URL; without it nothing lives at that path. */
  readonly openapi?: (baseUrl: string) => object
}

/** A running reference. */
export interface Reference {
  /** Without a trailing slash. */
  readonly baseUrl: string
  /** The group to work under. */
  readonly groupUid: string
  /** A group with repos, tags and advisories, and with groups that hold more of them. */
  readonly registryGroupUid: string
  /** A group with repos that may be deleted. */
  readonly nonemptyGroupUid: string
  /** As from a login, whose lifetime is not shown (S5.2): long enough to move the clock by days. */
  readonly accessToken: string
  /** `POST` of `{"advanceSeconds": n}` moves the clock for everyone; no token is needed. */
  readonly clockUrl: string
  /** A second organization, invisible to the token of the first (S5.8). */
  readonly other: { readonly groupUid: string; readonly accessToken: string }
  readonly world: World
  close(): Promise<void>
}

const ninetyDays = 90 * 24 * 60 * 60

/** Starts a reference of its own: servers of one process share a signing key and nothing else. */
export async function startReference(options: ReferenceOptions = {}): Promise<Reference> {
  const { port = 0, host = '127.0.0.1', rules = () => ({}), elsewhere = 0, tls, openapi } = options
  const world = createService({ ...contract, ...rules(contract) })
  seedRoles(world)
  const first = seedOrganization(world, 'first', 32)
  const second = seedOrganization(world, 'second')
  seedElsewhere(world, first.caller.org, elsewhere)
  world.operator = first.caller

  let handler: RequestListener = (_request, response) => response.destroy()
  const start: At = {
    world,
    kind: 'none',
    operation: 'none',
    version: '',
    caller: undefined,
    page: 0,
    query: undefined,
  }
  const http2 = world.rules.grpcOffered(start)
  const maxHeaderSize = world.rules.grpcMaxMetadata(start)
  const front = openFront((request, response) => handler(request, response), {
    ...(tls && { tls }),
    http2,
    maxHeaderSize,
  })
  const { server } = front
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject)
    server.listen(port, host, resolve)
  })
  const baseUrl = `http${tls ? 's' : ''}://${host.includes(':') ? `[${host}]` : host}:${(server.address() as AddressInfo).port}`

  const issuer = await createIssuer(baseUrl, world)
  const http = httpHandler(world, issuer, openapi?.(baseUrl))
  let grpc: RequestListener | undefined
  handler = (request, response) => {
    if (!http2 || !isOfGrpc(request.url)) return http(request, response)
    // made on first use: most runs of the suite's own tests never need it
    grpc ??= grpcHandler(world, issuer, http)
    grpc(request, response)
  }
  const accessTokenOf = async ({ caller }: Organization, lifetime: number) =>
    world.rules.issued(await issuer.issue(caller, baseUrl, lifetime), exchangeIn(world))
  return {
    baseUrl,
    groupUid: first.groupUid,
    registryGroupUid: first.registryGroupUid,
    nonemptyGroupUid: first.nonemptyGroupUid,
    accessToken: await accessTokenOf(first, ninetyDays),
    clockUrl: baseUrl + clockPath,
    other: { groupUid: second.groupUid, accessToken: await accessTokenOf(second, 60 * 60) },
    world,
    close: () => front.close(),
  }
}
