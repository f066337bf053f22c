import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { Ajv2020, type ErrorObject, type ValidateFunction } from 'ajv/dist/2020.js'
import formats from 'ajv-formats'
import { counted } from '../../schemas/counted.ts'
import type { Schemas } from '../../schemas/types.ts'
import { violated } from './violation.ts'

/** The name of a schema of the contract: its file in `schemas/` without `.json`. */
export type SchemaName = keyof Schemas

/** One place where a body departs from its schema. */
export type Problem = {
  /** A JSON pointer; '' is the whole body. */
  at: string
  /** The value there, in at most 80 characters; 'nothing' for an absent member. */
  found: string
  /** What belongs there, in words, with its statement. */
  expected: string
}

type Described = { description?: string; properties?: Record<string, Described> }

const names: Record<SchemaName, true> = {
  timestamp: true,
  group: true,
  'group-list': true,
  identity: true,
  'identity-list': true,
  role: true,
  'role-list': true,
  'role-binding': true,
  'role-binding-list': true,
  repo: true,
  'repo-list': true,
  tag: true,
  'tag-list': true,
  advisory: true,
  'advisory-list': true,
  'identity-provider': true,
  'identity-provider-list': true,
  'account-association': true,
  'account-association-list': true,
  'group-invite': true,
  'group-invite-list': true,
  error: true,
  'error-invalid-name': true,
  'error-not-empty': true,
  token: true,
  'v1-group': true,
  'v1-group-list': true,
  'v1-repo': true,
  'v1-repo-list': true,
}

/** Every schema of the contract by name, in reading order. */
export const schemaNames = Object.keys(names) as SchemaName[]

/** The folder with the plain JSON Schema files, wherever this package is installed. */
export const schemaFolder = join(
  dirname(createRequire(import.meta.url).resolve('rmapi-conformance/package.json')),
  'schemas',
)

const idOf = (name: string) => `https://rmapi-conformance.invalid/schemas/${name}.json`
const atMost = 20
const longest = 80
const loaded = new Map<'first' | 'all', Ajv2020>()

/** What is wrong with a body, the outermost first, at most 20 problems; an empty array means that it conforms. */
export function problems(
  body: unknown,
  schema: SchemaName,
  counts: (problem: Problem) => boolean = () => true,
): Problem[] {
  const first = compiled(schema, 'first')
  if (first(body)) return []
  const validate = compiled(schema, 'all')
  const passed = validate(shortened(body, first.errors?.[0]?.instancePath ?? ''))
  // a token is a secret: only the kind of a value is shown
  const render = schema === 'token' ? kindOf : inShort
  return onePerPlace((passed ? first : validate).errors ?? [])
    .map((error) => problem(error, render))
    .filter(counts)
    .sort((a, b) => depth(a.at) - depth(b.at))
    .slice(0, atMost)
}

/** Fails the case, with a violation that names every problem, unless the body conforms to the schema. */
export function conforms(body: unknown, schema: SchemaName): void {
  report(problems(body, schema), schema)
}

/** Like `conforms`, but leaves the form of timestamps to the requirement that judges them for the whole run. */
export function hasShape(body: unknown, schema: SchemaName): void {
  report(
    problems(body, schema, ({ at, found }) => !(at.endsWith('Time') && found.startsWith('"'))),
    schema,
  )
}

/** Like `conforms`, for one member, named by its JSON pointer. */
export function hasShapeAt(pointer: string, body: unknown, schema: SchemaName): void {
  report(
    problems(body, schema, ({ at }) => at === pointer || at.startsWith(`${pointer}/`)),
    schema,
  )
}

function report(found: readonly Problem[], schema: SchemaName): void {
  const [first] = found
  if (!first) return
  const [whole] = (compiled(schema, 'first').schema as { description: string }).description.split(/,| \(/)
  violated({
    message: [`The body is not ${whole}`, ...found.map(sentence)].join('\n  '),
    expected: first.expected,
    got: first.found,
    ...(first.at && { where: first.at }),
  })
}

function sentence({ at, found, expected }: Problem): string {
  return `${at || 'the whole body'}: found ${found}, expected ${expected}`
}

function compiled(name: SchemaName, errors: 'first' | 'all'): ValidateFunction {
  const ajv = loaded.get(errors) ?? load(errors)
  loaded.set(errors, ajv)
  const validate = ajv.getSchema(idOf(name))
  if (!validate) throw new Error(`No schema is called '${name}'. There are: ${schemaNames.join(', ')}.`)
  return validate
}

function load(errors: 'first' | 'all'): Ajv2020 {
  const ajv = new Ajv2020({
    allErrors: errors === 'all',
    verbose: true,
    strictTypes: false,
    allowUnionTypes: true,
  })
  formats.default(ajv)
  for (const name of schemaNames) {
    ajv.addSchema(JSON.parse(readFileSync(join(schemaFolder, `${name}.json`), 'utf8')))
  }
  return ajv
}

// collecting all errors takes quadratic time, so what is far beyond the first is left out
function shortened(body: unknown, firstError: string): unknown {
  if (typeof body !== 'object' || body === null || Array.isArray(body)) return body
  const [, member, index] = firstError.split('/')
  const entries = Object.entries(body).map(([key, value]) => {
    if (!Array.isArray(value)) return [key, value]
    return [key, value.slice(0, Math.max(1000, key === member ? Number(index ?? 0) + atMost : 0))]
  })
  return Object.fromEntries(entries)
}

// one error per place: an 'anyOf' counts for its branches, a later and stricter schema for the general one
function onePerPlace(errors: ErrorObject[]): ErrorObject[] {
  const either = new Set(errors.filter((error) => error.keyword === 'anyOf').map((error) => error.instancePath))
  const perPlace = new Map<string, ErrorObject>()
  for (const error of errors) {
    if (error.keyword === 'if' || error.schemaPath.includes('/contains/')) continue
    if (error.keyword !== 'anyOf' && either.has(error.instancePath)) continue
    perPlace.set(error.keyword === 'contains' ? error.schemaPath : pointer(error), error)
  }
  return [...perPlace.values()]
}

function problem(error: ErrorObject, render: (value: unknown) => string): Problem {
  const missing = missingMember(error)
  const schema = error.parentSchema as Described
  const described = missing === undefined ? schema : schema.properties?.[missing]
  return {
    at: pointer(error),
    found: missing === undefined ? render(error.data) : 'nothing',
    expected: described?.description ?? String(error.message),
  }
}

function pointer(error: ErrorObject): string {
  const missing = missingMember(error)
  if (missing === undefined) return error.instancePath
  return `${error.instancePath}/${missing.replaceAll('~', '~0').replaceAll('/', '~1')}`
}

function missingMember(error: ErrorObject): string | undefined {
  return error.keyword === 'required' ? String(error.params.missingProperty) : undefined
}

function depth(at: string): number {
  return at.split('/').length
}

function inShort(value: unknown): string {
  const text = [...render(value, 2)]
  if (text.length <= longest) return text.join('')
  const count = Array.isArray(value) ? `${counted(value.length, 'item')}: ` : ''
  return `${count}${text.slice(0, longest - count.length - 1).join('')}…`
}

function kindOf(value: unknown): string {
  if (value === undefined) return 'nothing'
  if (value === null) return 'null'
  if (Array.isArray(value)) return `an array of ${value.length}`
  if (typeof value === 'object') return 'an object'
  if (typeof value === 'string') return value === '' ? 'an empty string' : `a string of ${value.length} characters`
  return `a ${typeof value}`
}

function render(value: unknown, depth: number): string {
  if (value === undefined) return 'nothing'
  if (typeof value === 'string') return JSON.stringify(value.length > longest ? `${value.slice(0, longest)}…` : value)
  if (typeof value !== 'object' || value === null) return String(value)
  if (Array.isArray(value)) return renderArray(value, depth)
  return renderObject(value as Record<string, unknown>, depth)
}

function renderArray(value: unknown[], depth: number): string {
  if (value.length === 0) return '[]'
  if (depth === 0) return '[…]'
  const shown = value.slice(0, 3).map((item) => render(item, depth - 1))
  return `[${[...shown, ...(value.length > 3 ? ['…'] : [])].join(', ')}]`
}

function renderObject(value: Record<string, unknown>, depth: number): string {
  const keys = Object.keys(value)
  if (keys.length === 0) return '{}'
  if (depth === 0) return '{…}'
  const shown = keys.slice(0, 6).map((key) => `${JSON.stringify(key)}: ${render(value[key], depth - 1)}`)
  return `{${[...shown, ...(keys.length > 6 ? ['…'] : [])].join(', ')}}`
}
