import type { SchemaName } from '../../../helpers/assertions/schema.ts'
import type { Json } from '../schema-samples.ts'
import { inJson, refTo } from './schemas.ts'

/** The errors that the contract shows in full (S7.5, S7.6), by their operations. */
const shown: Partial<Record<string, SchemaName>> = {
  'group.create': 'error-invalid-name',
  'group.delete': 'error-not-empty',
}

const anything = { '*/*': {} }
const error = (content: Json) => ({
  description:
    'A refusal. Which status it has is not shown, 4xx is usual; its shape is promised for the errors of S7.5 and S7.6 and a reasonable reading elsewhere (R33).',
  content,
})

/** The answers that operations share. */
export const sharedResponses = {
  Refused: {
    description:
      'The credential is refused (S5.1) or, with 403, what the caller may do. Which of the two statuses is left open, and the body may be anything (R39, R56).',
    content: anything,
  },
  Missing: {
    description: 'Nothing has this uid. The status is left open, and the body may be anything (R38).',
    content: anything,
  },
  Error: error(inJson(refTo('error'))),
  Empty: { description: 'An empty body: zero bytes, or `{}` (S4.7, R27).' },
}

const refToResponse = (name: keyof typeof sharedResponses) => ({ $ref: `#/components/responses/${name}` })

/** The answers of an operation such as `group.create`, of which a success has a body of that schema, or none. */
export function responsesOf(operation: string, schema?: SchemaName): Json {
  const own = shown[operation]
  return {
    // every 2xx is a success, and statuses of errors are not shown (R33, R57)
    '2XX':
      schema === undefined
        ? refToResponse('Empty')
        : { description: 'Success, with any 2xx (R57).', content: inJson(refTo(schema)) },
    401: refToResponse('Refused'),
    403: refToResponse('Refused'),
    404: refToResponse('Missing'),
    default: own === undefined ? refToResponse('Error') : error(inJson({ anyOf: [refTo(own), refTo('error')] })),
  }
}
