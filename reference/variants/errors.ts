import type { At } from '../domain/at.ts'
import { Refusal } from '../domain/refusal.ts'
import { type Variant, variant } from '../fault.ts'
import { during, type Replacement, withRequest } from '../replace.ts'
import type { Answer } from '../rules/values.ts'

/** Answers rendered differently; a body that is text is sent as it is. */
const rendered =
  (change: (answer: Answer, at: At) => Answer): Replacement =>
  (contract) => ({
    render: (answer, at) => change(contract.render(answer, at), at),
    text: (body) => (typeof body === 'string' ? body : JSON.stringify(body)),
  })

/** Lawful refusals. */
export const errorVariants: readonly Variant[] = [
  variant(
    'a gateway refuses who brings no token, with a request id called uid',
    rendered((answer) =>
      answer.status === 401
        ? {
            status: 401,
            headers: { 'content-type': 'application/json' },
            body: { uid: 'b7e23ec29af22b0b4e41da31e868d572', name: 'Unauthorized', message: 'no valid credential' },
          }
        : answer,
    ),
  ),
  variant(
    'a refused caller is shown the path that was asked for',
    withRequest((request, contract) => ({
      render(answer, at) {
        const shown = contract.render(answer, at)
        if (shown.status !== 401) return shown
        const { url = '' } = request()
        return {
          ...shown,
          body: {
            status: 401,
            error: 'Unauthorized',
            timestamp: new Date().toISOString(),
            path: url.replace(/[?].*/, ''),
          },
        }
      },
    })),
  ),
  variant(
    'a call that cannot be read is refused by a gateway, in plain words',
    (contract) => {
      const unread = new WeakSet<At>()
      return {
        body(bytes, at) {
          const fields = contract.body(bytes, at)
          if (!fields) unread.add(at)
          return fields
        },
        render: (answer, at) =>
          unread.has(at)
            ? { status: 400, headers: { 'content-type': 'text/plain' }, body: 'malformed request' }
            : contract.render(answer, at),
        text: (body) => (typeof body === 'string' ? body : JSON.stringify(body)),
      }
    },
    ['error.body.shape'],
  ),
  variant(
    'an update reads a JSON array, and a JSON string, as nothing',
    during('update', (contract) => ({
      body(bytes, at) {
        const fields = contract.body(bytes, at)
        if (fields) return fields
        try {
          return typeof JSON.parse(new TextDecoder().decode(bytes)) === 'object' || bytes[0] === 34 ? {} : undefined
        } catch {
          return undefined
        }
      },
    })),
    ['error.body.update.refused', 'error.body.update.refused@identities'],
  ),
  variant('details say more of what went wrong, in the language of the caller', (contract) => ({
    errorDetails: (refusal, info, at) => [
      ...contract.errorDetails(refusal, info, at),
      { '@type': 'type.googleapis.com/google.rpc.LocalizedMessage', locale: 'de', message: 'Das geht nicht.' },
      { '@type': 'type.googleapis.com/google.rpc.DebugInfo', stackEntries: [], detail: '' },
    ],
  })),
  variant('an error says what went wrong in two languages', (contract) => ({
    errorDetails: (refusal, info, at) => [
      ...contract.errorDetails(refusal, info, at),
      ...['de', 'fr'].map((locale) => ({
        '@type': 'type.googleapis.com/google.rpc.LocalizedMessage',
        locale,
        message: locale,
      })),
    ],
  })),
  variant('what is missing is answered as what needs a token', (contract) => ({
    errorStatus: (refusal, at) => (refusal.problem === 'missing' ? 401 : contract.errorStatus(refusal, at)),
    errorCode: (refusal, at) => (refusal.problem === 'missing' ? 16 : contract.errorCode(refusal, at)),
  })),
  variant(
    'what a call asks for is looked at before who asks',
    (contract) => ({
      credential: (headers, query, at) => contract.credential(headers, query, at) ?? 'anyone',
      authenticate: async (token, reader, at) =>
        token === 'anyone' && at.operation === 'create'
          ? { subject: 'anyone', org: at.world.operator.org }
          : contract.authenticate(token, reader, at),
      nameTaken(wanted, at) {
        if (at.caller?.subject !== 'anyone') return contract.nameTaken(wanted, at)
        throw new Refusal('unauthenticated', 'authorization', 'a valid bearer token is required')
      },
    }),
    ['auth.first'],
  ),
  variant(
    'what is missing is answered with a page of HTML',
    rendered((answer) =>
      answer.status === 404
        ? { status: 404, headers: { 'content-type': 'text/html' }, body: '<html><h1>Not found</h1></html>' }
        : answer,
    ),
  ),
  variant('what is missing is forbidden', (contract) => ({
    errorStatus: (refusal, at) => (refusal.problem === 'missing' ? 403 : contract.errorStatus(refusal, at)),
    errorCode: (refusal, at) => (refusal.problem === 'missing' ? 7 : contract.errorCode(refusal, at)),
  })),
  variant(
    'what is missing is answered with nothing at all',
    rendered((answer) => (answer.status === 404 ? { status: 410, headers: {}, body: undefined } : answer)),
  ),
  variant(
    'a missing token is answered with a JSON type and no bytes',
    rendered((answer) =>
      answer.status === 401
        ? { status: 401, headers: { 'content-type': 'application/json' }, body: undefined }
        : answer,
    ),
  ),
  variant(
    'a missing token is answered 403 in HTML',
    rendered((answer) =>
      answer.status === 401 ? { status: 403, headers: { 'content-type': 'text/html' }, body: '<p>No</p>' } : answer,
    ),
  ),
  variant('bad arguments are answered 422 and full groups 409', (contract) => ({
    errorStatus: (refusal, at) =>
      refusal.problem === 'invalid' ? 422 : refusal.problem === 'notEmpty' ? 409 : contract.errorStatus(refusal, at),
  })),
  variant('details are in reverse order, beside others, under another host', (contract) => ({
    errorDomain: () => 'accounts.example.org',
    errorDetails: (refusal, info, at) => [
      { '@type': 'types.example.org/google.rpc.RequestInfo', requestId: 'r-1', servingData: '' },
      { '@type': 'types.example.org/google.rpc.Help', links: [] },
      ...contract
        .errorDetails(refusal, { ...info, metadata: { service: 'iam' } } as typeof info, at)
        .map((detail) => ({
          ...detail,
          '@type': String(detail['@type']).replace('type.googleapis.com', 'types.example.org'),
        }))
        .reverse(),
    ],
  })),
  variant('a gateway refuses what it cannot read under its own domain', (contract) => ({
    errorDetails: (refusal, info, at) =>
      contract.errorDetails(refusal, refusal.field === 'body' ? { ...info, domain: 'gateway.test' } : info, at),
  })),
  variant('errors that the contract does not state name a domain of their own', () => ({
    errorDomain: ({ kind, operation }) =>
      kind === 'groups' && ['create', 'delete'].includes(operation) ? 'iam.acme.test' : `${kind}.acme.test`,
  })),
  variant('bad arguments are answered 409', (contract) => ({
    errorStatus: (refusal, at) => (refusal.problem === 'invalid' ? 409 : contract.errorStatus(refusal, at)),
  })),
  variant('bad arguments are answered 403', (contract) => ({
    errorStatus: (refusal, at) => (refusal.problem === 'invalid' ? 403 : contract.errorStatus(refusal, at)),
  })),
  variant('what is missing is answered 500 with code 5', (contract) => ({
    errorStatus: (refusal, at) =>
      refusal.problem === 'missing' && at.kind !== 'none' ? 500 : contract.errorStatus(refusal, at),
  })),
  variant(
    'a gateway numbers its refusals of tokens in its own way',
    rendered((answer, { over, operation }) =>
      over === undefined && answer.status === 401 && operation !== 'exchange'
        ? { ...answer, body: { code: 1, msg: 'token missing or bad' } }
        : answer,
    ),
  ),
  variant(
    'a gateway numbers what is missing in its own way',
    rendered((answer, { over, kind }) =>
      over === undefined && answer.status === 404 && kind !== 'none'
        ? { ...answer, body: { code: 4, msg: 'nothing here' } }
        : answer,
    ),
  ),
  variant(
    'a bad token is answered 403, and none at all 401',
    withRequest((request, contract) => ({
      render(answer, at) {
        const shown = contract.render(answer, at)
        const isBad = shown.status === 401 && at.operation !== 'exchange' && request().headers.authorization
        return isBad ? { ...shown, status: 403 } : shown
      },
    })),
  ),
  variant(
    'who brings no valid token gets an empty list',
    rendered((answer) => (answer.status === 401 ? { ...answer, body: [] } : answer)),
  ),
  variant(
    'what is missing is answered null',
    rendered((answer) => (answer.status === 404 ? { ...answer, body: null } : answer)),
  ),
]
