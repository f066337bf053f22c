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
        // JSON escapes half a pair; here it is sent as three bytes that are not UTF-8
        const parts = JSON.stringify(body).split(/\\u(d[89ab][0-9a-f]{2})/)
        return Buffer.concat(
          parts.map((part, index) => {
            const half = Number.parseInt(part, 16)
            return index % 2 === 0
              ? Buffer.from(part)
              : Buffer.from([0xed, 0x80 | ((half >> 6) & 63), 0x80 | (half & 63)])
          }),
        )
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
