import { type Fault, fault } from '../../fault.ts'
import { during, on, type Replacement } from '../../replace.ts'
import type { Answer } from '../../rules/values.ts'

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
