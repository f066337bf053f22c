import { once } from 'node:events'
import type { IncomingHttpHeaders } from 'node:http'
import type { Caller } from '../../domain/at.ts'
import { type Fault, fault } from '../../fault.ts'
import { readToken } from '../../identity/tokens.ts'
import { during, inV1, on, type Replacement, withRequest } from '../../replace.ts'
import { foundByModel } from '../run/histories.ts'

/** Bad tokens that are accepted where they resemble a token that was valid before. */
export const takenFor =
  (alike: (token: string, good: ReadonlySet<string>) => boolean): Replacement =>
  (contract) => {
    const good = new Set<string>()
    return {
      async authenticate(token, reader, at) {
        const caller = await contract.authenticate(token, reader, at)
        if (caller) good.add(token)
        return caller ?? (alike(token, good) ? at.world.operator : undefined)
      },
    }
  }

const some = (good: ReadonlySet<string>, like: (one: string) => boolean) => [...good].some(like)

/** Tokens that are also found outside the Authorization header, or in another form. */
export const alsoFrom =
  (find: (headers: IncomingHttpHeaders, query: URLSearchParams) => string | undefined): Replacement =>
  (contract) => ({
    credential: (headers, query, at) => contract.credential(headers, query, at) ?? find(headers, query),
  })

/** The name and the password of the scheme Basic, as far as there are any. */
export function basicParts(authorization = ''): readonly (string | undefined)[] {
  const [, encoded = ''] = /^basic +([^ ]+)$/i.exec(authorization) ?? []
  return Buffer.from(encoded, 'base64').toString().split(':')
}

/** Any token makes its caller the operator. */
const acceptsAnyToken: Replacement = (contract) => ({
  authenticate: async (token, reader, at) => (await contract.authenticate(token, reader, at)) ?? at.world.operator,
})

/** Faults in which tokens are refused (S5.1, R39). */
export const authRefusesFaults: readonly Fault[] = [
  fault(
    'tokens are compared without regard to case',
    ['auth.refuses.other-case'],
    takenFor((token, good) => some(good, (one) => one.toLowerCase() === token.toLowerCase())),
  ),
  fault(
    'a token will do as a password',
    ['auth.refuses.as-password', 'auth.refuses.other-forms', 'auth.refuses.other-forms@*'],
    alsoFrom(({ authorization }) => basicParts(authorization)[1]),
  ),
  fault(
    'a bare token will do',
    ['auth.refuses.bare*'],
    alsoFrom(({ authorization }) => authorization),
  ),
  fault(
    'the end of a token does not matter',
    {
      turnsRed: ['auth.refuses.cut-short*', 'auth.one-connection', 'auth.in-parallel'],
      spreadsTo: ['auth.refuses.expired-token*'],
    },
    takenFor((token, good) => token.length > 40 && some(good, (one) => one.startsWith(token))),
  ),
  fault(
    'the scheme of others will do for an Update',
    ['auth.refuses.other-forms', 'auth.refuses.other-forms@*'],
    during(
      'update',
      alsoFrom(({ authorization }) => /^(?:JWT|OAuth|Token|ApiKey) +([^ ]+)$/.exec(authorization ?? '')?.[1]),
    ),
  ),
  ...(['identities', 'roles', 'advisories'] as const).map((kind) =>
    fault(
      `${kind} take a token after any word`,
      { turnsRed: [`auth.refuses.other-forms@${kind}`], spreadsTo: [`auth.refuses.*@${kind}`] },
      on(
        kind,
        alsoFrom(({ authorization }) => /^\S+ +(\S+)$/.exec(authorization ?? '')?.[1]),
      ),
    ),
  ),
  fault(
    'the middle of a token does not matter',
    { turnsRed: ['auth.refuses.altered', 'auth.refuses.altered@*'], spreadsTo: ['auth.*'] },
    takenFor((token, good) =>
      some(good, (one) => one.length === token.length && one.slice(0, -200) === token.slice(0, -200)),
    ),
  ),
  fault(
    'a path with an escape in it needs no token',
    ['auth.refuses.path-shapes'],
    withRequest((request) => ({ needsToken: () => !/^[^?]*%/.test(request().url ?? '') })),
  ),
  fault('a bearer without a token will do', ['auth.refuses.empty-token*'], (contract) => ({
    credential: (headers, query, at) =>
      /^bearer$/i.test(headers.authorization?.trim() ?? '') ? 'none' : contract.credential(headers, query, at),
    authenticate: async (token, reader, at) =>
      token === 'none' ? at.world.operator : contract.authenticate(token, reader, at),
  })),
  fault(
    'what follows a token does not matter',
    ['auth.refuses.extended*'],
    takenFor((token, good) => some(good, (one) => token.startsWith(one))),
  ),
  fault(
    'a delete takes any token',
    { turnsRed: ['auth.refuses.garbage', 'auth.refuses.garbage@*'], spreadsTo: ['auth.refuses.*'] },
    during('delete', (contract) => ({
      authenticate: async (token, reader, at) => (await contract.authenticate(token, reader, at)) ?? at.world.operator,
    })),
  ),
  fault(
    'the signature does not matter for repos',
    { turnsRed: ['auth.refuses.garbage@repos'], spreadsTo: ['auth.refuses.*@repos'] },
    on('repos', acceptsAnyToken),
  ),
  fault(
    'an account association is deleted with any token',
    {
      turnsRed: ['auth.refuses.garbage@accountAssociations'],
      spreadsTo: ['auth.refuses.*@accountAssociations'],
    },
    on('accountAssociations', during('delete', acceptsAnyToken)),
  ),
  fault(
    'a token that is no JWT is waved through',
    ['auth.refuses.garbage*', 'auth.one-connection'],
    takenFor((token) => /^[a-z]{1,}$/.test(token)),
  ),
  fault('a token in the body will do', ['auth.refuses.in-body', 'auth.refuses.in-body@*'], (contract) => ({
    async transport(request, response, serve, at) {
      const { authorization, 'content-length': length } = request.headers
      if (authorization === undefined && Number(length) > 0) {
        await once(request, 'readable')
        const chunk: Buffer = request.read()
        request.unshift(chunk)
        const [, token] = /"access_token": ?"([^"]+)"/.exec(String(chunk)) ?? []
        if (token) request.headers.authorization = `Bearer ${token}`
      }
      return contract.transport(request, response, serve, at)
    },
  })),
  fault('a token in the metadata of a gateway will do', ['auth.refuses.in-other-headers*'], (contract) => ({
    credential: (headers, query, at) =>
      contract.credential(headers, query, at) ??
      /^Bearer (.+)/.exec(String(headers['grpc-metadata-authorization']))?.[1],
  })),
  fault('a token in a cookie will do', ['auth.refuses.in-other-headers*'], (contract) => ({
    credential: (headers, query, at) =>
      contract.credential(headers, query, at) ?? /=([^;]+)/.exec(headers.cookie ?? '')?.[1],
  })),
  fault(
    'a token in the query will do for advisories',
    ['auth.refuses.in-query@advisories'],
    on('advisories', (contract) => ({
      credential: (headers, query, at) =>
        contract.credential(headers, query, at) ?? query.get('access_token') ?? undefined,
    })),
  ),
  fault(
    'v1 takes a token in the query',
    ['auth.refuses.in-query@v1'],
    inV1((contract) => ({
      credential: (headers, query, at) =>
        contract.credential(headers, query, at) ?? query.get('access_token') ?? undefined,
    })),
  ),
  fault(
    'a token in the query will do',
    ['auth.refuses.in-query*'],
    alsoFrom((_headers, query) => query.get('access_token') ?? undefined),
  ),
  fault(
    'v1 takes a token of any scheme',
    { turnsRed: ['auth.refuses.other-scheme@v1'], spreadsTo: ['auth.refuses.other-forms@v1'] },
    inV1((contract) => ({
      credential: (headers, query, at) =>
        contract.credential(headers, query, at) ?? /^\w+ +([^ ]+)$/.exec(headers.authorization ?? '')?.[1],
    })),
  ),
  fault(
    'any scheme will do',
    {
      turnsRed: ['auth.refuses.other-scheme', 'auth.refuses.other-scheme@*'],
      spreadsTo: ['auth.refuses.other-forms*'],
    },
    alsoFrom(({ authorization }) => /^\w+ +([^ ]+)$/.exec(authorization ?? '')?.[1]),
  ),
  fault(
    'tokens are remembered by their first two parts',
    { turnsRed: ['auth.refuses.other-signer', 'auth.refuses.other-signer@*'], spreadsTo: ['auth.*'] },
    (contract) => {
      const known = new Map<string, Caller>()
      return {
        async authenticate(token, reader, at) {
          const key = token.split('.').slice(0, 2).join('.')
          const caller = known.get(key) ?? (await contract.authenticate(token, reader, at))
          if (caller) known.set(key, caller)
          return caller
        },
      }
    },
  ),
  fault(
    'a token is looked for anywhere in the header',
    foundByModel,
    alsoFrom(({ authorization }) => /.+Bearer +([^ ]+)$/.exec(authorization ?? '')?.[1]),
  ),
  fault(
    'a token is looked up as a pattern',
    foundByModel,
    takenFor((token, good) => /[%*]$/.test(token) && some(good, (one) => one.startsWith(token.slice(0, -1)))),
  ),
  fault(
    'a key that nobody knows proves everything',
    { turnsRed: ['auth.refuses.unknown-key*'], spreadsTo: ['grpc.auth.refuses.*'] },
    (contract) => ({
      authenticate: async (token, reader, at) =>
        readToken(token)?.header.kid === undefined
          ? contract.authenticate(token, reader, at)
          : reader.unverified(token),
    }),
  ),
  fault(
    'v1 takes a token of algorithm none',
    ['auth.refuses.unsigned@v1'],
    inV1((contract) => ({
      authenticate: async (token, reader, at) =>
        token.endsWith('.') ? reader.unverified(token) : contract.authenticate(token, reader, at),
    })),
  ),
  fault('a token of algorithm none is believed', ['auth.refuses.unsigned*'], (contract) => ({
    authenticate: async (token, reader, at) =>
      token.endsWith('.') ? reader.unverified(token) : contract.authenticate(token, reader, at),
  })),
]
