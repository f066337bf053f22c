import { type Fault, fault } from '../../fault.ts'
import { on } from '../../replace.ts'

/** Faults that any answer may show. */
export const runInvariantsFaults: readonly Fault[] = [
  fault('a refusal shows the stack', ['service.discreet'], (contract) => ({
    errorMessage: (refusal, at) => `${contract.errorMessage(refusal, at)}\n    at ${'handler'} (server.js:1:1)`,
  })),
  fault(
    'half a character goes out as it came in',
    { turnsRed: ['service.encoding'], spreadsTo: ['group.description.odd'] },
    () => ({
      text: (body) => {
        const halves = JSON.stringify(body).split('\\ud83d')
        const bytes = halves.flatMap((part) => [Buffer.from([0xed, 0xa0, 0xbd]), Buffer.from(part)])
        return Buffer.concat(bytes.slice(1))
      },
    }),
  ),
  fault(
    'a name that is no text is a fault of the server',
    { turnsRed: ['service.faults'], spreadsTo: ['group.name.refuses.other-types'] },
    on('groups', (contract) => ({
      nameProblem(name, at) {
        if (name != null && typeof name !== 'string') throw new TypeError('name.match is not a function')
        return contract.nameProblem(name, at)
      },
    })),
  ),
  fault('answers are called plain text', ['service.json'], (contract) => ({
    render(answer, at) {
      const { headers, ...rest } = contract.render(answer, at)
      return { ...rest, headers: { ...headers, 'content-type': 'text/plain' } }
    },
  })),
]
