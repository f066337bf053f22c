import type { At } from '../domain/at.ts'
import { type Variant, variant } from '../fault.ts'
import type { Replacement } from '../replace.ts'
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
  variant('details stand the other way round, beside others, under another host', (contract) => ({
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
]
