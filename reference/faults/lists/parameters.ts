import { type Fault, fault } from '../../fault.ts'
import type { Replacement } from '../../replace.ts'
import { foundByModel } from '../run/histories.ts'

/** Lists whose parameters are changed before they are read, each with its value, in the order of the address. */
const parametersReadAs =
  (change: (parts: readonly string[]) => readonly string[]): Replacement =>
  (contract) => ({
    transport(request, response, serve, at) {
      const [path, search] = (request.url ?? '').split(/\?(.*)/s)
      if (at.operation === 'list' && at.version !== 'v1' && search)
        request.url = `${path}?${change(search.split('&')).join('&')}`
      return contract.transport(request, response, serve, at)
    },
  })

const nameOf = (part: string) => part.split('=')[0]

/** Faults in the order of parameters, which means nothing (S4.8 to S4.15). */
export const listParameterFaults: readonly Fault[] = [
  fault(
    'list parameters that follow page_token in the address are not read',
    ['list.token.other-filter'],
    parametersReadAs((parts) => {
      const token = parts.findIndex((part) => /^page_token=./.test(part))
      return token < 0 ? parts : parts.slice(0, token + 1)
    }),
  ),
  fault(
    'a name that comes before the scope in the address does not count',
    foundByModel,
    parametersReadAs((parts) => {
      const scope = parts.findIndex((part) => part.startsWith('uidp.'))
      return parts.filter((part, index) => nameOf(part) !== 'name' || index > scope)
    }),
  ),
]
