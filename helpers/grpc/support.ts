import { setTimeout as sleep } from 'node:timers/promises'
import { methodOf, serviceOf } from '../../schemas/proto/services.ts'
import type { KindName } from '../api/kinds.ts'
import { isThrottled } from '../http/call.ts'
import { Inconclusive, mustWrite, NotOffered } from '../http/case-errors.ts'
import { withAgent } from '../http/request.ts'
import type { Config } from '../settings/configuration.ts'
import { grpcVersionOf } from './descriptors.ts'
import { probeGrpc } from './probe.ts'
import type { Grpc } from './protocol.ts'
import { described, reflectedServices } from './reflection.ts'

/** The waits before a probe is repeated, in milliseconds. */
const pausesAfter = (said: string): readonly number[] => {
  // a gateway answers so while the service is too busy or starting (R43)
  const [, status] = /^HTTP (\d+), no/.exec(said) ?? []
  if (isThrottled({ status: Number(status) })) return [1_000, 2_000, 4_000]
  // one lost answer says nothing
  return /^nothing within|^no (answer|HTTP)/.test(said) ? [100] : []
}

/** True for UNIMPLEMENTED, and for PERMISSION_DENIED, a mesh's answer to methods it does not allow. */
export const isUnknownMethod = (status: string | undefined) => status === '12' || status === '7'

/** The Authorization header of the run's own token. */
type Authorization = () => Promise<string | undefined>

/** Whether a target serves gRPC, and which of its services: checked once (S1.5, R60). */
export class GrpcSupport {
  readonly #grpc: Grpc
  readonly #config: Config
  readonly #authorization: Authorization
  readonly #served = new Map<KindName, Promise<boolean>>()
  #opened: Promise<Error | undefined> | undefined

  constructor(grpc: Grpc, config: Config, authorization: Authorization) {
    this.#grpc = grpc
    this.#config = config
    this.#authorization = authorization
  }

  /** Ends the case where gRPC is not offered, or its services are not known by their names (R60). */
  async mustBeServed(): Promise<void> {
    mustWrite('a call over gRPC, which is a POST,', this.#config)
    this.#opened ??= this.#open()
    const why = await this.#opened
    if (why) throw why
  }

  /** The full name of the service of a kind. */
  serviceOf(kind: KindName): string {
    return serviceOf(this.#grpc.registry, kind, grpcVersionOf(this.#config.target))?.typeName ?? kind
  }

  /** The names of the services that the target lists by reflection; none where it has no reflection. */
  async reflected(): Promise<string[]> {
    return reflectedServices(this.#grpc.channel, await this.#headers()).catch(() => [])
  }

  /** Whether the service of a kind is there: one of its methods is implemented. */
  serves(kind: KindName): Promise<boolean> {
    const known = this.#served.get(kind) ?? this.#asks(kind)
    this.#served.set(kind, known)
    return known
  }

  async #open(): Promise<Error | undefined> {
    const { target } = this.#config
    const { origin } = new URL(target.grpcUrl ?? target.baseUrl)
    const said = await this.#probe('groups', 'list')
    if (/^nothing within|^no answer|^HTTP (401|403|429|5\d\d), no/.test(said))
      return new Inconclusive(`${origin} does not say whether it serves gRPC: ${said}`)
    const [, code] = /^HTTP 200, grpc-status (\d+)$/.exec(said) ?? []
    if (code === undefined && target.grpcUrl !== undefined)
      return new Inconclusive(`no gRPC is served at RMAPI_GRPC_URL: ${origin} answered with ${said}`)
    if (code === undefined) return new NotOffered('gRPC', `it was answered at ${origin} with ${said}`)
    if (!isUnknownMethod(code) || (await this.serves('groups'))) return undefined
    return this.#namedByTarget(origin, said)
  }

  /** Where the known names lead nowhere, the target may show by reflection how its services are named. */
  async #namedByTarget(origin: string, said: string): Promise<Error | undefined> {
    const registry = await described(this.#grpc.channel, await this.#headers()).catch(() => undefined)
    if (registry !== undefined && serviceOf(registry, 'groups', '') !== undefined) {
      this.#grpc.registry = registry
      this.#served.clear()
      if (await this.serves('groups')) return undefined
    }
    return new Inconclusive(
      `${origin} serves gRPC, and no ${this.serviceOf('groups')} that this token may call (its list was answered with ${said}): set RMAPI_GRPC_PACKAGE, or RMAPI_PROTO_DESCRIPTORS, to what it is named there`,
    )
  }

  async #asks(kind: KindName): Promise<boolean> {
    const said = await Promise.all([this.#probe(kind, 'list'), this.#probe(kind, 'get')])
    // reflection also lists a service of which every method is a stub
    return said.some((one) => {
      const [, code] = /grpc-status (\d+)$/.exec(one) ?? []
      return code !== undefined && !isUnknownMethod(code)
    })
  }

  async #probe(kind: KindName, operation: 'list' | 'get'): Promise<string> {
    const { target } = this.#config
    const service = serviceOf(this.#grpc.registry, kind, grpcVersionOf(target))
    const method = service && methodOf(service, operation)
    if (method === undefined) return 'no name for it'
    const named = { ...target, headers: withAgent(target.headers, this.#config.agent, 'a look for gRPC') }
    const ask = async () =>
      probeGrpc(named, await this.#authorization(), undefined, `/${service!.typeName}/${method.name}`)
    let said = await ask()
    for (let tries = 0; tries < pausesAfter(said).length; tries++) {
      await sleep(pausesAfter(said)[tries])
      said = await ask()
    }
    return said
  }

  async #headers(): Promise<Record<string, string>> {
    const authorization = await this.#authorization()
    const { target, agent } = this.#config
    return { ...withAgent(target.headers, agent, 'a look for gRPC'), ...(authorization && { authorization }) }
  }
}
