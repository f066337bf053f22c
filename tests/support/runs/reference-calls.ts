import { request } from 'undici'
import { type Reference, startReference } from '../../../reference/embed.ts'

// biome-ignore lint/suspicious/noExplicitAny: whatever the wire brings
export type Body = any

/** What a call sends; the token is the reference's own unless it is named, undefined included. */
export interface Sent {
  readonly body?: unknown
  readonly raw?: string | undefined
  readonly token?: string | undefined
  readonly headers?: Record<string, string>
  readonly on?: Reference
}

/** A reference of its own, started, with the calls that its tests make. */
export async function referenceWithCalls() {
  const reference = await startReference()
  let made = 0

  async function call(method: string, path: string, sent: Sent = {}) {
    const target = sent.on ?? reference
    const token = 'token' in sent ? sent.token : target.accessToken
    const authorization: Record<string, string> = token === undefined ? {} : { authorization: `Bearer ${token}` }
    const reply = await request(`${target.baseUrl}${path}`, {
      method: method as 'GET',
      headers: { ...authorization, 'content-type': 'application/json', ...sent.headers },
      body: sent.raw ?? (sent.body === undefined ? null : JSON.stringify(sent.body)),
    })
    const text = await reply.body.text()
    const json = String(reply.headers['content-type']).startsWith('application/json') && text !== ''
    return { status: reply.statusCode, text, body: (json ? JSON.parse(text) : undefined) as Body }
  }

  const iam = '/iam/v2beta1'
  const get = (path: string, sent?: Sent) => call('GET', `${iam}/${path}`, sent)
  const post = (path: string, body: unknown, sent?: Sent) => call('POST', `${iam}/${path}`, { body, ...sent })
  const patch = (path: string, body: unknown, sent?: Sent) => call('PATCH', `${iam}/${path}`, { body, ...sent })
  const remove = (path: string, sent?: Sent) => call('DELETE', `${iam}/${path}`, sent)
  const children = (uid: string, more = '') => get(`groups?uidp.children_of=${uid}${more}`)

  async function group(parent = reference.groupUid, name = `group ${++made}`, on = reference): Promise<string> {
    return (await post(`groups/${parent}`, { name, description: `about ${name}` }, { on })).body.uid
  }
  async function identity(parent: string, name = `identity ${++made}`): Promise<string> {
    const claimMatch = { issuer: 'https://issuer.test', subject: `subject ${++made}` }
    return (await post(`identities/${parent}`, { name, description: 'it', claimMatch })).body.uid
  }
  async function roleUid(): Promise<string> {
    return (await get('roles?name=viewer')).body.roles[0].uid
  }
  async function binding(parent: string, identityUid: string): Promise<Body> {
    return (await post(`roleBindings/${parent}`, { identityUid, roleUid: await roleUid() })).body
  }
  return { reference, call, get, post, patch, remove, children, group, identity, roleUid, binding }
}

/** The uids of listed items, in their order. */
export const uids = (items: Body[]): string[] => items.map((item) => item.uid)

/** The names of listed items, in their order. */
export const names = (items: Body[]): string[] => items.map((item) => item.name)
