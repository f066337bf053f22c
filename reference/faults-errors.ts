import type { Fields } from './domain/item.ts'
import type { Refusal } from './domain/refusal.ts'
import { during, type Fault, fault, on, type Replacement } from './replace.ts'

const aboutName = ({ problem, field }: Refusal) => problem === 'invalid' && field === 'name'
const aboutContent = ({ problem }: Refusal) => problem === 'notEmpty'

/** Details of refusals that read another way. */
const detailsOf =
  (
    applies: (refusal: Refusal) => boolean,
    change: (details: readonly Fields[], refusal: Refusal) => readonly Fields[],
  ): Replacement =>
  (contract) => ({
    errorDetails(refusal, info, at) {
      const details = contract.errorDetails(refusal, info, at)
      return applies(refusal) ? change(details, refusal) : details
    },
  })

/** Bodies of creates that are read another way. */
const bodyRead = (read: (text: string) => Fields | undefined): Replacement =>
  on(
    'groups',
    during('create', (contract) => ({
      body: (bytes, at) => contract.body(bytes, at) ?? read(new TextDecoder().decode(bytes)),
    })),
  )

/** What goes wrong with refusals (section 7). */
export const faultsOfErrors: readonly Fault[] = [
  fault(
    'a bad name has the code of HTTP',
    { turnsRed: ['error.name.shape', 'error.name.code'], spreadsTo: ['error.name.*', 'identity.name.error'] },
    (contract) => ({
      errorCode: (refusal, at) => (aboutName(refusal) ? 400 : contract.errorCode(refusal, at)),
    }),
  ),
  fault(
    'a group with children has the code of HTTP as text',
    ['group.delete.not-empty.shape', 'group.delete.not-empty.code'],
    (contract) => ({
      errorCode: (refusal, at) =>
        aboutContent(refusal) ? ('9' as unknown as number) : contract.errorCode(refusal, at),
    }),
  ),
  fault('a group with children is refused as a bad argument', ['group.delete.not-empty.code'], (contract) => ({
    errorCode: (refusal, at) => (aboutContent(refusal) ? 3 : contract.errorCode(refusal, at)),
  })),
  fault(
    'the message of a bad name does not say which field',
    { turnsRed: ['error.name.message'], spreadsTo: ['error.name.*', 'identity.name.error'] },
    (contract) => ({
      errorMessage: (refusal, at) =>
        aboutName(refusal) ? `Invalid argument: ${refusal.description}` : contract.errorMessage(refusal, at),
    }),
  ),
  fault('the message of a group with children has no beginning', ['group.delete.not-empty.message'], (contract) => ({
    errorMessage: (refusal, at) => (aboutContent(refusal) ? refusal.description : contract.errorMessage(refusal, at)),
  })),
  fault(
    'reasons are written small',
    {
      turnsRed: ['error.name.reason'],
      spreadsTo: ['error.name.*', 'group.delete.not-empty.reason', 'identity.name.error'],
    },
    (contract) => ({ errorReason: (refusal, at) => contract.errorReason(refusal, at).toLowerCase() }),
  ),
  fault('a group with children has the reason of its violation', ['group.delete.not-empty.reason'], (contract) => ({
    errorReason: (refusal, at) => (aboutContent(refusal) ? 'RESOURCE_NOT_EMPTY' : contract.errorReason(refusal, at)),
  })),
  fault('the domain is that of the node', ['error.domain'], () => {
    let calls = 0
    return { errorDomain: () => `node-${++calls % 20 === 0 ? 2 : 1}.reference.test` }
  }),
  fault(
    'a bad name has no violation',
    { turnsRed: ['error.name.fresh'], spreadsTo: ['error.name.*', 'identity.name.error'] },
    detailsOf(aboutName, (details) => details.slice(0, 1)),
  ),
  fault(
    'violations of refused calls add up',
    { turnsRed: ['identity.name.error'], spreadsTo: ['error.name.*', 'identity.name.error'] },
    (contract) => {
      const violations: Fields[] = [{ field: 'name', description: 'what an earlier caller did wrong' }]
      return {
        errorDetails(refusal, info, at) {
          if (!aboutName(refusal)) return contract.errorDetails(refusal, info, at)
          violations.push({ field: refusal.field, description: refusal.description })
          const [first, second] = contract.errorDetails(refusal, info, at)
          return [first!, { ...second, fieldViolations: violations.slice(-3) }]
        },
      }
    },
  ),
  fault(
    'a violation names the path of its field',
    {
      turnsRed: ['identity.name.error', 'error.name.violation', 'error.name.no-bytes'],
      spreadsTo: ['error.name.update'],
    },
    detailsOf(aboutName, ([info, { fieldViolations: _, ...rest } = {}], { description }) => [
      info!,
      { ...rest, fieldViolations: [{ field: 'group.name', description }] },
    ]),
  ),
  fault(
    'a group with children has a violation of another type',
    ['group.delete.not-empty.violation'],
    detailsOf(aboutContent, ([info, second], { description }) => [
      info!,
      { ...second, violations: [{ type: 'NOT_EMPTY', description }] },
    ]),
  ),
  fault(
    'violations are one and no list',
    ['group.delete.not-empty.violation', 'group.delete.not-empty.shape'],
    detailsOf(aboutContent, ([info, second], { description }) => [
      info!,
      { ...second, violations: { type: 'RESOURCE_NOT_EMPTY', description } },
    ]),
  ),
  fault(
    'details have no type URL',
    ['group.delete.not-empty.shape', 'group.delete.not-empty.reason', 'group.delete.not-empty.violation'],
    detailsOf(aboutContent, (details) =>
      details.map((detail) => ({ ...detail, '@type': String(detail['@type']).split('.').at(-1) })),
    ),
  ),
  fault(
    'a group with children is refused with 200',
    { turnsRed: ['error.never-succeeds'], spreadsTo: ['group.delete.not-empty.*'] },
    (contract) => ({
      errorStatus: (refusal, at) => (aboutContent(refusal) ? 200 : contract.errorStatus(refusal, at)),
    }),
  ),
  fault(
    'a bad name is a fault of the server',
    { turnsRed: ['error.name.update'], spreadsTo: ['error.name.*', 'identity.name.error', 'service.faults'] },
    (contract) => ({
      errorStatus: (refusal, at) => (aboutName(refusal) ? 500 : contract.errorStatus(refusal, at)),
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
  fault('a refusal shows the stack', ['service.discreet'], (contract) => ({
    errorMessage: (refusal, at) => `${contract.errorMessage(refusal, at)}\n    at ${'handler'} (server.js:1:1)`,
  })),
  fault(
    'the first of several groups in an array is made',
    ['error.body.array', 'error.body.shape'],
    bodyRead((text) => {
      try {
        const [first] = JSON.parse(text)
        return typeof first === 'object' ? first : undefined
      } catch {
        return undefined
      }
    }),
  ),
  fault(
    'a body that is cut off is completed',
    ['error.body.cut-off', 'error.body.shape'],
    bodyRead((text) => {
      const name = /"name": ?"([^"]*)$/.exec(text)?.[1]
      return name === undefined ? undefined : { name }
    }),
  ),
  fault(
    'a form is taken for a body',
    ['error.body.garbage', 'error.body.shape'],
    bodyRead((text) => (/^\w+=/.test(text) ? Object.fromEntries(new URLSearchParams(text)) : undefined)),
  ),
]
