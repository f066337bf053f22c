import { type Fault, fault } from '../../fault.ts'
import { during, on, type Replacement } from '../../replace.ts'
import type { Answer } from '../../rules/values.ts'
import { detailsOf } from '../refusal-details.ts'

/** Refusals for a mistake in what was sent have another body. */
const refusing =
  (bodyOf: (body: Record<string, unknown>) => unknown): Replacement =>
  (contract) => ({
    render(answer, at) {
      const rendered = contract.render(answer, at)
      const body = rendered.body as Record<string, unknown> | undefined
      return rendered.status === 400 && body ? ({ ...rendered, body: bodyOf(body) } satisfies Answer) : rendered
    },
  })

/** Faults in the errors of some operations (S7.1, R33). */
export const refusalNeighbourFaults: readonly Fault[] = [
  fault(
    'a list that is refused for a parameter has an error of another form',
    { turnsRed: ['error.shape.elsewhere'], spreadsTo: ['model.refusal.shape'] },
    during(
      'list',
      refusing(({ message }) => ({ error: message })),
    ),
  ),
  fault(
    'errors are called plain text',
    { turnsRed: ['model.refusal.shape'], spreadsTo: ['error.*', 'model.inputs.*'] },
    (contract) => ({
      render(answer, at) {
        const rendered = contract.render(answer, at)
        const headers = { ...rendered.headers, 'content-type': 'text/plain' }
        return rendered.status < 400 ? rendered : { ...rendered, headers }
      },
    }),
  ),
  fault(
    'a refused update of an identity has an error without details',
    { turnsRed: ['model.refusal.shape'], spreadsTo: ['error.*', 'model.inputs.*'] },
    on(
      'identities',
      during(
        'update',
        refusing(({ details: _, ...others }) => others),
      ),
    ),
  ),
  fault(
    'a list of roles that is refused has a text for an error',
    { turnsRed: ['model.refusal.shape'], spreadsTo: ['error.*', 'model.inputs.*'] },
    on(
      'roles',
      during(
        'list',
        refusing(({ message }) => message),
      ),
    ),
  ),
  fault(
    'the details of a refused page token have no type',
    { turnsRed: ['model.refusal.shape'], spreadsTo: ['error.*', 'model.inputs.*'] },
    detailsOf(
      ({ field }) => field === 'page_token',
      () => [{ reason: 'BAD_TOKEN' }],
    ),
  ),
  fault(
    'the code of a refused role binding is a text',
    { turnsRed: ['error.shape.elsewhere'], spreadsTo: ['model.refusal.shape'] },
    on(
      'roleBindings',
      during(
        'create',
        refusing(({ code, ...others }) => ({ code: String(code), ...others })),
      ),
    ),
  ),
]
