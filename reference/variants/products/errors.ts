import type { At } from '../../domain/at.ts'
import type { Fields } from '../../domain/item.ts'
import type { Refusal } from '../../domain/refusal.ts'
import { type Variant, variant } from '../../fault.ts'
import { type Replacement, withBody, withRequest } from '../../replace.ts'
import type { Answer } from '../../rules/values.ts'

const rendered =
  (change: (answer: Answer, at: At) => Answer): Replacement =>
  (contract) => ({ render: (answer, at) => change(contract.render(answer, at), at) })

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
]
