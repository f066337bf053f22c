import { kinds } from '../../../helpers/api/kinds.ts'
import type { Json } from '../schema-samples.ts'
import { allPaths } from './operations.ts'
import { parameters } from './parameters.ts'
import { sharedResponses } from './responses.ts'
import { componentSchemas } from './schemas.ts'

const description = `The contract of the resource-management API v2, as far as OpenAPI can express it. S and R with a number are statements and rulings of the contract, \`rmapi-conformance/contract.md\`.

- \`x-printed: false\` marks an operation whose path the contract does not print: a server may lack it.
- The uid of a group has slashes, which are written in the path as they are. \`x-path-template\` shows the path in the way of \`google.api.http\`, where \`{uid=**}\` spans several segments. A client that writes a slash as \`%2F\` works only with servers that accept that.
- No schema forbids additional members, and neither should your code.
- With general availability \`v2beta1\` becomes \`v2\`; the shapes are the same.`

const server = (name: string, value: string, description: string) => ({
  url: `{${name}}`,
  description,
  variables: { [name]: { default: value, description: 'without a slash at its end' } },
})

const bearer = (description: string) => ({ type: 'http', scheme: 'bearer', description })

/** The contract as an OpenAPI 3.1 document, from the schemas and the kinds. */
export function generateOpenapi(): Json {
  return {
    openapi: '3.1.0',
    info: { title: 'Resource-management API', version: 'v2beta1', description },
    servers: [server('base_url', 'https://api.example', 'the address of the API')],
    security: [{ accessToken: [] }],
    tags: [
      ...Object.values(kinds).map(({ plural, label }) => ({ name: plural, description: `the ${label.many}` })),
      { name: 'v1', description: 'the other version, which stays available (S9.1)' },
      { name: 'token exchange', description: 'from the token of an identity provider to an access token (S5.3)' },
    ],
    paths: allPaths([server('auth_url', 'https://auth.example', 'the address of the token exchange')]),
    components: {
      securitySchemes: {
        accessToken: bearer('an access token (S5.1)'),
        identityToken: bearer('the token of an identity provider (S5.3)'),
      },
      parameters,
      responses: sharedResponses,
      schemas: componentSchemas(),
    },
  }
}
