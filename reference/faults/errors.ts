import type { At } from '../domain/at.ts'
import type { Fields } from '../domain/item.ts'
import { Refusal } from '../domain/refusal.ts'
import { basicFault, type Fault, fault } from '../fault.ts'
import { during, on, onceIn, type Replacement, underMask } from '../replace.ts'
import { aboutContents, aboutName, detailsOf } from './refusal-details.ts'
import { foundByModel } from './run/histories.ts'

/** Bodies of creates that are read before the contract's rule sees them. */
const readBefore = (read: (text: string) => Fields | undefined): Replacement =>
  on(
    'groups',
    during('create', (contract) => ({
      body: (bytes, at) => read(Buffer.from(bytes).toString()) ?? contract.body(bytes, at),
    })),
  )

/** Bodies of creates that are read although the contract's rule refuses them. */
const readOtherwise = (read: (text: string) => Fields | undefined): Replacement =>
  on(
    'groups',
    during('create', (contract) => ({
      body: (bytes, at) => contract.body(bytes, at) ?? read(new TextDecoder().decode(bytes)),
    })),
  )

const withoutViolation = detailsOf(aboutName, (details) => details.slice(0, 1))

/** Faults in refusals (section 7). */
export const errorFaults: readonly Fault[] = [
  fault(
    'the first of several groups in an array is made',
    ['error.body.array', 'error.body.shape'],
    readOtherwise((text) => {
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
    readOtherwise((text) => {
      const name = /"name": ?"([^"]*)$/.exec(text)?.[1]
      return name === undefined ? undefined : { name }
    }),
  ),
  fault(
    'a form is taken for a body',
    ['error.body.garbage', 'error.body.shape'],
    readOtherwise((text) => (/^\w+=/.test(text) ? Object.fromEntries(new URLSearchParams(text)) : undefined)),
  ),
  fault(
    'a bad name that is too long as well is named twice',
    foundByModel,
    on('groups', (contract) => {
      const long = new WeakSet<object>()
      return {
        nameProblem(name, at) {
          if (typeof name === 'string' && name.length > 63) long.add(at)
          return contract.nameProblem(name, at)
        },
        errorDetails(refusal, info, at) {
          const details = contract.errorDetails(refusal, info, at)
          if (!long.has(at) || !aboutName(refusal)) return details
          return details.map(({ fieldViolations, ...detail }) =>
            Array.isArray(fieldViolations)
              ? { ...detail, fieldViolations: [...fieldViolations, ...fieldViolations] }
              : detail,
          )
        },
      }
    }),
  ),
  fault(
    'null makes a group of its own',
    ['error.body.null'],
    readBefore((text) => (text === 'null' ? { name: 'null' } : undefined)),
  ),
  fault('a number in place of a body makes a group of that name', ['error.body.number'], (contract) => ({
    body(bytes, at) {
      const text = new TextDecoder().decode(bytes)
      return /^\d+$/.test(text) ? { name: text } : contract.body(bytes, at)
    },
  })),
  fault(
    'a comma too many is refused after the group was made',
    ['error.body.odd.leaves-nothing'],
    on(
      'groups',
      during('create', (contract) => {
        const odd = new WeakSet<At>()
        return {
          body(bytes, at) {
            const text = Buffer.from(bytes).toString()
            if (!text.endsWith(',}')) return contract.body(bytes, at)
            odd.add(at)
            return JSON.parse(text.replace(',}', '}'))
          },
          nameProblem: (name, at) => (odd.has(at) ? 'the body ends in a comma' : contract.nameProblem(name, at)),
          leftByRefusedCreate: (draft, at) => (odd.has(at) ? [draft] : []),
        }
      }),
    ),
  ),
  fault(
    'a word makes a group of its own',
    ['error.body.string', 'error.body.shape'],
    readBefore((text) => (text.startsWith('"') ? { name: 'just a word' } : undefined)),
  ),
  fault(
    'an update with a body that cannot be read changes nothing and succeeds',
    ['error.body.update', 'error.body.update@*', 'error.body.update.refused*'],
    during('update', (contract) => ({ body: (bytes, at) => contract.body(bytes, at) ?? {} })),
  ),
  fault(
    'an update takes the first of several bodies',
    ['error.body.update', 'error.body.update@*', 'error.body.update.refused*'],
    during('update', (contract) => ({
      body(bytes, at) {
        const text = new TextDecoder().decode(bytes)
        return contract.body(text.startsWith('[{') ? new TextEncoder().encode(text.slice(1, -1)) : bytes, at)
      },
    })),
  ),
  fault('a detail is given twice', ['error.details.once'], (contract) => ({
    errorDetails(...given) {
      const details = contract.errorDetails(...given)
      return [...details, ...details.slice(0, 1)]
    },
  })),
  fault('the domain is that of the node', { turnsRed: ['error.domain'], spreadsTo: ['error.name.*'] }, () => {
    let calls = 0
    return { errorDomain: () => `node-${++calls % 7 === 0 ? 2 : 1}.reference.test` }
  }),
  fault(
    'a bad name has no violation',
    { turnsRed: ['error.name.fresh'], spreadsTo: ['error.name.*', 'identity.name.error'] },
    withoutViolation,
  ),
  fault(
    'a bad name in an update under a mask is refused without a violation',
    ['error.name.update'],
    on('groups', underMask(withoutViolation)),
  ),
  fault(
    'the message of a bad name does not say which field',
    { turnsRed: ['error.name.message'], spreadsTo: ['error.name.*', 'identity.name.error'] },
    (contract) => ({
      errorMessage: (refusal, at) =>
        aboutName(refusal) ? `Invalid argument: ${refusal.description}` : contract.errorMessage(refusal, at),
    }),
  ),
  fault(
    'reasons are written small',
    {
      turnsRed: ['error.name.reason'],
      spreadsTo: ['error.name.*', 'group.delete.not-empty.reason', 'identity.name.error'],
    },
    (contract) => ({ errorReason: (refusal, at) => contract.errorReason(refusal, at).toLowerCase() }),
  ),
  fault(
    'a bad name has the code of HTTP',
    { turnsRed: ['error.name.shape', 'error.name.code'], spreadsTo: ['error.name.*', 'identity.name.error'] },
    (contract) => ({
      errorCode: (refusal, at) => (aboutName(refusal) ? 400 : contract.errorCode(refusal, at)),
    }),
  ),
  fault(
    'of thirty refusals of one create one has the status of a fault of the server',
    { turnsRed: ['error.name.steady'], spreadsTo: ['error.*', 'service.faults', 'grpc.error.*'] },
    during('create', onceIn(30, { errorStatus: () => 500 })),
  ),
  fault(
    'a bad name is a fault of the server',
    { turnsRed: ['error.name.update'], spreadsTo: ['error.name.*', 'identity.name.error', 'service.faults'] },
    (contract) => ({
      errorStatus: (refusal, at) => (aboutName(refusal) ? 500 : contract.errorStatus(refusal, at)),
    }),
  ),
  basicFault(
    'every refusal has the status of a success',
    { turnsRed: ['error.never-succeeds'], spreadsTo: ['group.get.missing'] },
    () => ({
      errorStatus: () => 200,
    }),
  ),
  fault(
    'a token that was never issued is refused with 200',
    { turnsRed: ['error.never-succeeds'], spreadsTo: ['list.token.strange*'] },
    during('list', (contract) => ({
      errorStatus: (refusal, at) => (refusal.field === 'page_token' ? 200 : contract.errorStatus(refusal, at)),
    })),
  ),
  fault(
    'a group with children is refused with 200',
    { turnsRed: ['error.never-succeeds'], spreadsTo: ['group.delete.not-empty.*'] },
    (contract) => ({
      errorStatus: (refusal, at) => (aboutContents(refusal) ? 200 : contract.errorStatus(refusal, at)),
    }),
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
    'a refusal that quotes more than eight KiB is a fault of the server',
    { turnsRed: ['error.name.status'], spreadsTo: ['service.faults'] },
    on('groups', (contract) => ({
      nameProblem(name, at) {
        const problem = contract.nameProblem(name, at)
        if (problem && String(name).length > 8192) throw new Refusal('internal', 'server', 'header too large')
        return problem
      },
    })),
  ),
]
