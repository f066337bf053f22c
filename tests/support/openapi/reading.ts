import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { Ajv2020 } from 'ajv/dist/2020.js'
import formats from 'ajv-formats'
import { schemaFolder } from '../../../helpers/assertions/schema.ts'

/** An operation as the document describes it. */
export interface Described {
  path: string
  method: string
  operationId: string
  tags: [string]
  'x-printed': boolean
  parameters: { $ref?: string; name: string; in: string }[]
  requestBody?: object
  responses: Record<string, object>
}

/** Where the document is. */
export const openapiFile = join(schemaFolder, 'openapi.json')

// biome-ignore lint/suspicious/noExplicitAny: whatever the file holds
const document: any = JSON.parse(readFileSync(openapiFile, 'utf8'))
const methods = ['get', 'put', 'post', 'patch', 'delete']

/** Every operation of the document. */
export const operations = Object.entries<Record<string, object>>(document.paths).flatMap(([path, item]) =>
  methods.flatMap((method) => (item[method] ? [{ ...item[method], path, method } as Described] : [])),
)

const ajv = new Ajv2020({ strictTypes: false, strictRequired: false, allowUnionTypes: true })
formats.default(ajv)
ajv.addVocabulary(Object.keys(document))
ajv.addSchema(document, 'openapi')

/** What is wrong with an answer, by the schema that the document has for its status; an empty array says that it fits. */
export function problemsOfAnswer(operation: Described, { status, text }: { status: number; text: string }): string[] {
  const { responses } = operation
  const key = [String(status), `${String(status)[0]}XX`, 'default'].find((one) => one in responses)!
  const [pointer, { content }] = behind(`${pointerTo(operation)}/responses/${key}`)
  // the document has no content where the body is empty, and any where it is left open
  if (content === undefined) return ['', '{}'].includes(text) ? [] : ['the body is not empty']
  if ('*/*' in content) return []
  return problemsOf(`${pointer}/content/application~1json/schema`, text)
}

/** What is wrong with a body that is sent, by the schema that the document has for it. */
export const problemsOfBody = (operation: Described, body: unknown) =>
  problemsOf(`${pointerTo(operation)}/requestBody/content/application~1json/schema`, JSON.stringify(body))

/** What is wrong with a body by one of the schemas of the document. */
export const problemsOfSchema = (title: string, text: string) => problemsOf(`#/components/schemas/${title}`, text)

/** The names of the parameters in the query of an operation. */
export const queryOf = (operation: Described): string[] =>
  operation.parameters
    .map((_, index) => behind(`${pointerTo(operation)}/parameters/${index}`)[1])
    .flatMap(({ name, in: place }) => (place === 'query' ? [name] : []))

function problemsOf(pointer: string, text: string): string[] {
  const validate = ajv.getSchema(`openapi${pointer.split('/').map(encodeURIComponent).join('/').replace('%23', '#')}`)
  if (validate === undefined) throw new Error(`the document has nothing at ${pointer}`)
  return validate(JSON.parse(text)) ? [] : [ajv.errorsText(validate.errors)]
}

/** A part of the document with where it is, followed where it is a reference. */
// biome-ignore lint/suspicious/noExplicitAny: whatever the file holds
function behind(pointer: string): [pointer: string, part: any] {
  const keys = pointer.split('/').slice(1)
  const part = keys.reduce((node, key) => node[key.replaceAll('~1', '/')], document)
  return part.$ref === undefined ? [pointer, part] : behind(part.$ref)
}

const pointerTo = ({ path, method }: Described) => `#/paths/${path.replaceAll('/', '~1')}/${method}`
