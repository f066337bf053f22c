import type { At } from '../../domain/at.ts'
import type { Fields } from '../../domain/item.ts'
import { Refusal } from '../../domain/refusal.ts'
import { type Variant, variant } from '../../fault.ts'
import { type Replacement, withBody, withRequest } from '../../replace.ts'
import type { Answer } from '../../rules/values.ts'
import { isStated } from '../grpc/answers.ts'

const rendered =
  (change: (answer: Answer, at: At) => Answer): Replacement =>
  (contract) => ({ render: (answer, at) => change(contract.render(answer, at), at) })

const errorInfo = (reason: string, domain: string): Fields => ({
  '@type': 'type.googleapis.com/google.rpc.ErrorInfo',
  reason,
  domain,
})

const tooLong = 'a name has at most 63 characters'

/** Lawful errors, as frameworks write them (R33, R34, R38). */
export const productErrorVariants: readonly Variant[] = [
  variant(
    'errors are problem documents that hold a code, a message and details',
    rendered((answer) =>
      answer.status < 400
        ? answer
        : {
            ...answer,
            headers: { ...answer.headers, 'content-type': 'application/problem+json' },
            body: {
              type: 'about:blank',
              title: 'Error',
              status: answer.status,
              detail: (answer.body as Fields).message,
              instance: '/errors/1',
              traceId: '00-1-2-00',
              ...(answer.body as Fields),
            },
          },
    ),
  ),
  variant(
    'a create reports every bad field at once, and a description beyond ASCII is one',
    withBody((sent, contract) => {
      const isLimited = ({ kind, operation }: At) => kind === 'groups' && operation === 'create'
      const problemOf = (description: unknown, at: At) =>
        contract.descriptionProblem(description, at) ??
        (isLimited(at) && /[^ -~]/.test(String(description ?? '')) ? 'plain text only' : undefined)
      const others = ({ problem, field }: Refusal, at: At) => {
        const isFirst = problem === 'invalid' && field === 'name' && isLimited(at)
        const description = isFirst ? problemOf(sent(at).description, at) : undefined
        return description === undefined ? [] : [{ field: 'description', description }]
      }
      return {
        descriptionProblem: problemOf,
        errorMessage: (refusal, at) =>
          [
            contract.errorMessage(refusal, at),
            ...others(refusal, at).map(({ field, description }) => `${field}: ${description}`),
          ].join('; '),
        errorDetails: (refusal, info, at) =>
          contract
            .errorDetails(refusal, info, at)
            .map((detail) =>
              Array.isArray(detail.fieldViolations)
                ? { ...detail, fieldViolations: [...detail.fieldViolations, ...others(refusal, at)] }
                : detail,
            ),
      }
    }),
  ),
  variant('what is missing is answered as Spring does, with the path', (contract) =>
    withRequest((request) => ({
      render(answer, at) {
        const shown = contract.render(answer, at)
        if (shown.status !== 404 || at.over === 'grpc') return shown
        const path = (request().url ?? '').split('?')[0]
        return {
          ...shown,
          body: { timestamp: '2024-01-01T00:00:00.000+00:00', status: 404, error: 'Not Found', path },
        }
      },
    }))(contract),
  ),
  variant('what was deleted is gone, which is answered 410', (contract) => {
    const dead = new Set<string>()
    let last = ''
    return {
      forget(steps, item, at) {
        contract.forget(steps, item, at)
        dead.add(item.uid)
      },
      found(uid, kind, at) {
        last = uid
        return contract.found(uid, kind, at)
      },
      errorStatus: (refusal, at) =>
        refusal.problem === 'missing' && dead.has(last) ? 410 : contract.errorStatus(refusal, at),
    }
  }),
  variant('what is missing is answered 404, 403, 400 and 410 by turns', (contract) => {
    const statuses = [404, 403, 400, 410]
    let turn = 0
    return {
      errorStatus: (refusal, at) =>
        refusal.problem === 'missing' ? statuses[turn++ % 4]! : contract.errorStatus(refusal, at),
    }
  }),
  variant('violations name a reason and a subject, and say it in another language', (contract) => ({
    errorDetails: (refusal, info, at) =>
      contract.errorDetails(refusal, info, at).map((detail) => {
        const more = (violations: unknown, extra: Fields) =>
          (violations as Fields[] | undefined)?.map((violation) => ({ ...violation, ...extra }))
        const { fieldViolations, violations } = detail
        if (fieldViolations)
          return {
            ...detail,
            fieldViolations: more(fieldViolations, {
              reason: 'INVALID',
              localizedMessage: { locale: 'de', message: 'ungültig' },
            }),
          }
        return violations ? { ...detail, violations: more(violations, { subject: 'group' }) } : detail
      }),
  })),
  variant(
    'errors over HTTP show a stack of twenty kilobytes',
    (contract) => ({
      errorDetails(refusal, info, at) {
        const details = contract.errorDetails(refusal, info, at)
        if (at.over === 'grpc') return details
        const stackEntries = Array.from({ length: 400 }, (_, n) => `at org.reference.Service.call(Service.java:${n})`)
        const debug = { '@type': 'type.googleapis.com/google.rpc.DebugInfo', stackEntries, detail: refusal.description }
        return [debug, ...details]
      },
    }),
    ['service.discreet'],
  ),
  variant('the message of an error holds the name that was sent, and line breaks', (contract) => ({
    errorMessage: (refusal, at) => `${contract.errorMessage(refusal, at)}\n\tat "name" — «${refusal.description}» 🛑`,
  })),
  variant('a metadata map is in every ErrorInfo, and its reasons have a number', (contract) => ({
    errorDetails: (refusal, info, at) =>
      contract
        .errorDetails(refusal, info, at)
        .map((detail) =>
          String(detail['@type']).endsWith('ErrorInfo')
            ? { ...detail, metadata: { service: 'iam', resource: refusal.field, attempt: '1' } }
            : detail,
        ),
  })),
  variant(
    'a name of more than sixty-three characters is refused by the gateway under its own domain, with a violation on name',
    (contract) => ({
      nameProblem: (name, at) => contract.nameProblem(name, at) ?? (String(name).length > 63 ? tooLong : undefined),
      errorDetails(refusal, info, at) {
        const own = { reason: 'SCHEMA_VIOLATION', domain: 'gateway.reference.test' }
        return contract.errorDetails(refusal, refusal.description === tooLong ? own : info, at)
      },
    }),
  ),
  variant(
    'an empty group cannot be deleted in its first second, which a lock service answers as a failed precondition under its own domain',
    (contract) => {
      const description = 'it is being provisioned'
      return {
        blocksDelete(item, living, at) {
          const isBlocked = contract.blocksDelete(item, living, at)
          if (!isBlocked && item.kind === 'groups' && at.world.now() - item.createTime < 1_000)
            throw new Refusal('notEmpty', 'lease', description)
          return isBlocked
        },
        errorDetails(refusal, info, at) {
          if (refusal.field !== 'lease') return contract.errorDetails(refusal, info, at)
          const violations = [{ type: 'LOCKED', description }]
          return [
            errorInfo('LOCKED', 'locks.reference.test'),
            { '@type': 'type.googleapis.com/google.rpc.PreconditionFailure', violations },
          ]
        },
      }
    },
  ),
  variant(
    'an error that the contract does not state names both services that it passed through, each by an ErrorInfo',
    (contract) => ({
      errorDetails(refusal, info, at) {
        const details = contract.errorDetails(refusal, info, at)
        return isStated(refusal) ? details : [...details, errorInfo('UPSTREAM_REFUSED', 'directory.reference.test')]
      },
    }),
  ),
  variant('of two instances behind a balancer one answers bad arguments 400 and the other 422', (contract) => {
    let turn = 0
    return {
      errorStatus: (refusal, at) =>
        refusal.problem === 'invalid' ? (turn++ % 2 ? 422 : 400) : contract.errorStatus(refusal, at),
    }
  }),
  variant(
    'a full group is refused with two violations: RESOURCE_NOT_EMPTY, and one of another type with a link',
    (contract) => ({
      errorDetails: (refusal, info, at) =>
        contract.errorDetails(refusal, info, at).map((detail) => {
          if (!Array.isArray(detail.violations)) return detail
          const description = 'see https://reference.test/help/delete'
          const second = { type: 'DEPENDENTS_EXIST', subject: 'groups', description }
          return { ...detail, violations: [...detail.violations, second] }
        }),
    }),
  ),
]
