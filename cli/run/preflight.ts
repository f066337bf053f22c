import { kinds } from '../../helpers/api/kinds.ts'
import { Paths } from '../../helpers/api/resource-path.ts'
import { descriptorsFor } from '../../helpers/grpc/descriptors.ts'
import { probeGrpc } from '../../helpers/grpc/probe.ts'
import { Grpc } from '../../helpers/grpc/protocol.ts'
import { GrpcSupport } from '../../helpers/grpc/support.ts'
import { ExchangeRefused, tokenSource } from '../../helpers/http/access-token.ts'
import { isRedirect, isThrottled } from '../../helpers/http/call.ts'
import { Inconclusive } from '../../helpers/http/case-errors.ts'
import { openPool } from '../../helpers/http/connections.ts'
import { NoIdentityToken } from '../../helpers/http/identity-token.ts'
import type { Wire } from '../../helpers/http/progress.ts'
import { withAgent } from '../../helpers/http/request.ts'
import type { Secrets } from '../../helpers/http/secrets.ts'
import { askPatiently } from '../../helpers/http/waits.ts'
import { BrokenOff } from '../../helpers/http/wire/broken-off.ts'
import { exchangeOver } from '../../helpers/http/wire/exchange-over.ts'
import type { Config } from '../../helpers/settings/configuration.ts'
import { present } from '../../schemas/present.ts'
import { Refused } from '../input/refused.ts'
import { speaksHttp2Alone } from './alpn.ts'
import { secretsOf } from './without-secrets.ts'
import { type Came, type Looks, lacksGroup, pageIn, sameForEverything, showsThisApi } from './wrong-address.ts'

/**
 * Makes sure that there is something to examine: a Get of the named group and a List below it. Anything that
 * answers is examined, except a server that refuses the token or redirects on both, and anything that is clearly not
 * this API; a broken Get is a finding.
 */
export async function preflight(given: Config): Promise<{ config: Config; remarks: string[]; requests: number }> {
  mustDescribe(given.target)
  const target = { ...given.target, ...((await speaksHttp2Alone(given.target)) ? { http2: true } : {}) }
  const config: Config = Object.freeze({ ...given, target })
  const [wire, secrets] = [{ sent: 0 }, secretsOf(config)]
  const { get, list, roles } = await lookAt(config, secrets, wire)
  const tried = `Get and List of the group ${target.groupUid} at ${target.baseUrl}`
  if ('silence' in get && 'silence' in list) {
    throw new Refused(`${target.baseUrl} does not answer: ${get.silence}. ${questionAbout(get.silence)}`)
  }
  // if it can list roles, the token is good, and the run shows what else it may do (R56)
  const mayGoOn = isForbidden(get, list) && showsThisApi({ get, list, roles })
  if (isRefusal(get) && isRefusal(list) && !mayGoOn) {
    const why = isForbidden(get, list)
      ? 'the token is not accepted there, or lacks the right to get and list groups'
      : 'the token is not accepted there'
    const page = pageIn(get)
    const from = page === undefined ? '' : `, or a gateway refuses this machine: the body is ${secrets.redact(page)}`
    throw new Refused(
      `${tried} were answered ${get.status} and ${list.status}: ${why}${from}. Check RMAPI_ACCESS_TOKEN (or the identity and its token), and RMAPI_GROUP_UID.`,
    )
  }
  if (redirects(get) && redirects(list)) {
    const to = get.location === undefined ? '' : ` to ${JSON.stringify(secrets.redact(get.location).slice(0, 200))}`
    throw new Refused(
      `${tried} were answered ${get.status}${to}: a redirect is never followed with a token. Set RMAPI_BASE_URL to the address that answers.`,
    )
  }
  mustBeThisApi(config, { get, list, roles }, secrets)
  if (config.transport === 'grpc') await mustServeGrpc(config, secrets, wire)
  return { config, remarks: [], requests: wire.sent }
}

/** What to set or to ask where an address is silent. */
function questionAbout(silence: string): string {
  if (/certificate|self.signed/i.test(silence))
    return 'Set RMAPI_CA_FILE to the authority that signed its certificate, and RMAPI_BASE_URL to a name that it is for.'
  if (/ERR_SSL_|EPROTO/.test(silence)) return 'Is it plain http that is served there, and not https?'
  return 'Is RMAPI_BASE_URL right, and is it reachable from here?'
}

/** Refuses an address where there is something else or nothing: that is not a broken server. */
function mustBeThisApi({ target }: Config, looks: Looks, secrets: Secrets): void {
  if (lacksGroup(looks)) {
    throw new Refused(
      `${target.baseUrl} lists roles, but Get and List of the group ${target.groupUid} are answered 404: there is no such group. Check RMAPI_GROUP_UID, and that the token belongs to its organization.`,
    )
  }
  const found = showsThisApi(looks) ? undefined : sameForEverything(looks)
  if (found === undefined) return
  if ('status' in looks.get && isThrottled(looks.get)) {
    throw new Refused(
      `${target.baseUrl} answers everything with ${found}: it is too busy or not available, and nothing can be examined now. Try again later, or check whether a gateway in front of it limits RMAPI_ACCESS_TOKEN, or has no server behind it.`,
      3,
    )
  }
  throw new Refused(
    `${target.baseUrl} answers everything the same way (Get and List of the group ${target.groupUid}, and the list of roles) with ${secrets.redact(found)}: this API is not there. Check RMAPI_BASE_URL with its path, RMAPI_VERSION (now ${target.apiVersion}), and whether a gateway or a login page is in front of it.`,
  )
}

/** Refuses to examine a target over gRPC that does not serve it: no case could be decided. */
async function mustServeGrpc(config: Config, secrets: Secrets, wire: Wire): Promise<void> {
  const { header } = await tokenSource(config, secrets, wire).credential()
  wire.sent++
  const headers = withAgent(config.target.headers, config.agent, 'first look')
  const said = await probeGrpc({ ...config.target, headers }, header)
  const { origin } = new URL(config.target.grpcUrl ?? config.target.baseUrl)
  if (!/grpc-status \d+$/.test(said))
    throw new Refused(
      `${origin} does not serve gRPC (${said}), but RMAPI_TRANSPORT asks for it. Check RMAPI_GRPC_URL, or leave --transport out.`,
    )
  const grpc = new Grpc(config.target, wire)
  try {
    await new GrpcSupport(grpc, config, async () => header).mustBeServed()
  } catch (error) {
    if (error instanceof Inconclusive) throw new Refused(`${error.message}. RMAPI_TRANSPORT asks for gRPC.`)
    throw error
  } finally {
    grpc.destroy()
  }
}

/** Refuses a file that describes no service of this API. */
function mustDescribe({ protoDescriptors: file, ...target }: Config['target']): void {
  if (file === undefined) return
  try {
    descriptorsFor({ ...target, protoDescriptors: file })
  } catch (error) {
    const why = error instanceof Inconclusive ? error.message : `${file} is no FileDescriptorSet`
    throw new Refused(`${why}. Check RMAPI_PROTO_DESCRIPTORS: 'buf build -o api.binpb' writes one.`)
  }
}

const isRefusal = (came: Came): came is { status: number } =>
  'status' in came && (came.status === 401 || came.status === 403)

const isForbidden = (...all: Came[]) => all.every((came) => 'status' in came && came.status === 403)

const redirects = (came: Came): came is { status: number; location?: string } => 'status' in came && isRedirect(came)

/** The longest that the first look waits if the target asks for it, in milliseconds. */
const longestFirstPause = 10_000

async function lookAt(config: Config, secrets: Secrets, wire: Wire): Promise<Looks> {
  const { target } = config
  const pool = openPool(target, 3, false)
  const { header } = await tokenSource(config, secrets, wire)
    .credential()
    .catch((error: Error) => {
      if (error instanceof NoIdentityToken) throw new Refused(`No token: ${error.message}`)
      if (error instanceof ExchangeRefused)
        throw new Refused(`No token: ${error.message}. Check RMAPI_IDENTITY_UID, its token, and RMAPI_AUDIENCE.`)
      throw new Refused(`No token: ${target.authUrl} does not answer: ${reason(error)}. Is RMAPI_AUTH_URL right?`)
    })
  const call = async (path: string): Promise<Came> => {
    const sent = { ...target.headers, accept: 'application/json', authorization: header ?? '' }
    const headers = withAgent(sent, config.agent, 'first look')
    try {
      const out = { method: 'GET', url: target.baseUrl + path, headers }
      const ask = () => exchangeOver(pool, out, undefined, wire)
      const { status, headers: came, bytes } = await askPatiently(ask, { tries: 3, pause: longestFirstPause })
      return { status, bytes, ...present({ location: came.location }) }
    } catch (error) {
      if (error instanceof BrokenOff) return { status: error.status }
      return { silence: reason(error as Error) }
    }
  }
  try {
    const raw = new Paths(target.apiVersion)
    const scope = `uidp.descendants_of=${encodeURIComponent(target.groupUid)}&page_size=1`
    const [get, list, roles] = await Promise.all([
      call(raw.of(kinds.groups, target.groupUid)),
      call(`${raw.of(kinds.groups)}?${scope}`),
      call(`${raw.of(kinds.roles)}?page_size=1`),
    ])
    const encoded = new Paths(target.apiVersion)
    encoded.encodesSlashes = true
    const again = 'status' in get && get.status >= 300 && target.groupUid.includes('/')
    const second = again ? await call(encoded.of(kinds.groups, target.groupUid)) : get
    return { get: 'status' in second && second.status < 300 ? second : get, list, roles }
  } finally {
    await pool.close()
  }
}

function reason(error: Error): string {
  const { message, code } = error as NodeJS.ErrnoException
  const said = message || (error as AggregateError).errors?.map(String).join('; ') || error.name
  // OpenSSL begins with numbers, and ends with a line of its source
  const line = said
    .replace(/\s+/g, ' ')
    .replace(/[0-9A-F]+:error:[0-9A-F]+:SSL routines:[^:]*:([^:]*):.*/, 'TLS: $1')
    .trim()
  return code && !line.includes(code) ? `${line} (${code})` : line
}
