import { AsyncLocalStorage } from 'node:async_hooks'
import { type Fault, fault } from '../../fault.ts'
import { during, on, when } from '../../replace.ts'
import type { Answer } from '../../rules/values.ts'
import { foundByModel } from '../run/histories.ts'
import { alsoFrom, basicParts } from './refuses.ts'

/** Faults in credentials that are found where none belongs, or not looked for (S5.1, R39). */
export const credentialElsewhereFaults: readonly Fault[] = [
  fault(
    'a token will do as a user name without a password',
    ['auth.refuses.other-forms', 'auth.refuses.other-forms@*'],
    alsoFrom(({ authorization }) => {
      const [user, password] = basicParts(authorization)
      return user && password === '' ? user : undefined
    }),
  ),
  fault(
    'a token among the protocols of a WebSocket will do',
    { turnsRed: ['auth.refuses.in-other-headers*'], spreadsTo: ['grpc.auth.refuses.in-other-headers*'] },
    alsoFrom((headers) => headers['sec-websocket-protocol']?.split(/, */).find((each) => each.startsWith('eyJ'))),
  ),
  fault(
    'a Create with the Idempotency-Key of an earlier one is answered as that one was, before anyone looks at the token',
    foundByModel,
    (contract) => {
      const kept = new Map<string, Answer>()
      const keys = new AsyncLocalStorage<string | undefined>()
      return {
        transport(request, response, serve, at) {
          const sent = request.headers['idempotency-key']
          const key = sent && request.method === 'POST' ? `${request.url} ${sent}` : undefined
          const known = kept.get(key ?? '')
          if (!known) return keys.run(key, () => contract.transport(request, response, serve, at))
          request.resume()
          const text = JSON.stringify(known.body)
          response.writeHead(known.status, {
            'content-type': 'application/json',
            'content-length': String(Buffer.byteLength(text)),
            date: new Date(at.world.now()).toUTCString(),
          })
          response.end(text)
          return Promise.resolve()
        },
        render(answer, at) {
          const rendered = contract.render(answer, at)
          const key = keys.getStore()
          if (key !== undefined && rendered.status < 300) kept.set(key, rendered)
          return rendered
        },
      }
    },
  ),
  fault(
    'repos and tags are listed with a token as a password',
    foundByModel,
    during(
      'list',
      when(
        ({ kind }) => kind === 'repos' || kind === 'tags',
        alsoFrom(({ authorization }) => basicParts(authorization)[1]),
      ),
    ),
  ),
  fault(
    'a role binding is updated with a token in the query',
    foundByModel,
    on(
      'roleBindings',
      during(
        'update',
        alsoFrom((_headers, query) => query.get('access_token') ?? undefined),
      ),
    ),
  ),
]
