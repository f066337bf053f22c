import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { packageRoot } from '../cli/input/package.ts'
import type { Header } from '../helpers/requirement/header.ts'
import { matchesGlob, type Selection } from '../helpers/requirement/selection.ts'
import type { Fault, Variant } from '../reference/fault.ts'
import { complaintsOnFault, complaintsOnVariants, type Examined, foundBy, isModelRow } from './judge.ts'
import type { Result } from './message.ts'

/** One fault, and what the suite says about a server that has it. */
export interface FaultRow {
  name: string
  /** The statements that it breaks, as the requirements that found it cite them. */
  statements: string[]
  /** The requirements that must turn red, by id or glob. */
  expected: string[]
  /** Those that may also turn red, by id or glob. */
  spreadsTo: string[]
  /** The ids of those in either list that did, or that did not hold but were overshadowed. */
  red: string[]
  /** What was missed, what else turned red, which errors the suite made; empty if all is well. */
  complaints: string[]
  ms?: number
}

/** One lawful choice, and what the suite says about a server that makes it. */
export interface VariantRow {
  name: string
  /** The ids of the requirements that a ruling lets warn. */
  warns: string[]
  complaints: string[]
  ms?: number
}

/** Which faults the suite finds, and which lawful servers it accuses. */
export interface Matrix {
  faults: FaultRow[]
  variants: VariantRow[]
  /** The ids of the musts that no fault turned red. */
  unproven: string[]
}

/** The folder for what the suite found out about itself. */
export const proofFolder = join(packageRoot, 'selftest/proof')

/** The matrix in a folder; by default the one that is checked in. */
export function readMatrix(folder = proofFolder): Matrix {
  return JSON.parse(readFileSync(join(folder, 'kill-matrix.json'), 'utf8')) as Matrix
}

/** A faulty server is examined for one in so many of the requirements that its fault does not name. */
const oneIn = 64

/**
 * What a faulty server is examined for first: the requirements that its fault names, and a sample of all others. It
 * depends on the name of the fault, so that each requirement sees many faults.
 */
export function narrowFor({ name, turnsRed, spreadsTo }: Fault, headers: readonly Header[]): Selection {
  const sample = headers.filter(({ id }) => digest(id) % oneIn === digest(name) % oneIn)
  // the rows of the model send nothing: they judge the answers to the others
  const model = headers.filter((header) => isModelRow(header) && header.alone === 'whole run')
  // where a fault names the generators whose calls show it, the model needs no others
  const generators = spreadsTo.filter((glob) => glob.includes('.inputs.'))
  const only = [...turnsRed, ...generators, ...[...sample, ...model].map(({ id }) => id)]
  const isOverGrpc = generators.length > 0 && generators.every((glob) => glob.startsWith('grpc.'))
  return { only, skip: isOverGrpc ? ['model.inputs.*'] : [], profiles: [] }
}

/** What it is examined for next: all that its fault may turn red, and the requirements of the operations. */
export function widerFor({ turnsRed, spreadsTo }: Fault): Selection {
  return { only: [...turnsRed, ...spreadsTo, '*.answers'], skip: [], profiles: [] }
}

const digest = (text: string) => createHash('sha256').update(text).digest().readUInt32BE()

/** The row of a fault. */
export function faultRow(fault: Fault, result: Result): FaultRow {
  const { name, turnsRed, spreadsTo } = fault
  const row = { name, expected: [...turnsRed], spreadsTo: [...spreadsTo] }
  if ('crash' in result) return { ...row, statements: [], red: [], complaints: [result.crash] }
  const { examined } = result
  const red = foundBy(examined)
  return {
    ...row,
    statements: statementsOf(red.filter(among(turnsRed)), examined),
    red: red.filter((id) => isModelRow({ id }) || among([...turnsRed, ...spreadsTo])(id)),
    complaints: complaintsOnFault(fault, examined),
    ms: examined.ms,
  }
}

const among = (globs: readonly string[]) => (id: string) => globs.some((glob) => matchesGlob(id, glob))

function statementsOf(ids: readonly string[], { rows }: Examined): string[] {
  const cited = rows.filter(({ id }) => ids.includes(id)).flatMap(({ statement }) => statement.split(/, */))
  return [...new Set(cited.filter((one) => one.startsWith('S')))].sort(byNumber)
}

const byNumber = (a: string, b: string) => a.localeCompare(b, 'en', { numeric: true })

/** The row of a variant, as seen on a server that has it alone or with others. */
export function variantRow(variant: Variant, server: readonly Variant[], result: Result): VariantRow {
  const row = { name: variant.name, warns: [...variant.warns] }
  if ('crash' in result) return { ...row, complaints: [result.crash] }
  const complaints = complaintsOnVariants(server, result.examined)
  const others = server.filter((other) => other !== variant).map(({ name }) => name)
  const withOthers = others.length === 0 || complaints.length === 0 ? [] : [`together with: ${others.join('; ')}`]
  return { ...row, complaints: [...complaints, ...withOthers], ms: result.examined.ms }
}

/** The ids of the musts that no fault that names them turned red; the rows of the model need not be named. */
export function unprovenBy(faults: readonly FaultRow[], headers: readonly Header[]): string[] {
  const proves = ({ expected }: FaultRow, id: string) => isModelRow({ id }) || among(expected)(id)
  const proven = new Set(faults.flatMap((fault) => fault.red.filter((id) => proves(fault, id))))
  return headers.filter(({ id, level }) => level === 'must' && !proven.has(id)).map(({ id }) => id)
}

/** The same without times, to be compared from release to release. */
export function timeless({ faults, variants, unproven }: Matrix): Matrix {
  return {
    faults: faults.map(({ ms: _, ...row }) => row),
    variants: variants.map(({ ms: _, ...row }) => row),
    unproven,
  }
}

/** Where a matrix differs from the present faults, variants and musts, a line each. */
export function staleIn(
  matrix: Matrix,
  faults: readonly Fault[],
  variants: readonly Variant[],
  headers: readonly Header[],
): string[] {
  return [
    ...differences('fault', matrix.faults.map(faultKey), faults.map(faultKey)),
    ...differences('variant', matrix.variants.map(variantKey), variants.map(variantKey)),
    ...differences('must without a fault', matrix.unproven, unprovenBy(matrix.faults, headers)),
  ]
}

/** Faults and variants. */
interface Known {
  faults: readonly Fault[]
  variants: readonly Variant[]
}

/** Those that a matrix has no row of, or one with complaints. */
export function unwrittenIn(matrix: Matrix, { faults, variants }: Known): Known {
  const isClean = ({ complaints }: FaultRow | VariantRow) => complaints.length === 0
  const written = new Set([
    ...matrix.faults.filter(isClean).map(faultKey),
    ...matrix.variants.filter(isClean).map(variantKey),
  ])
  return {
    faults: faults.filter((fault) => !written.has(faultKey(fault))),
    variants: variants.filter((variant) => !written.has(variantKey(variant))),
  }
}

/** A matrix of all that is there: the new rows, and the old ones where there is no new one. */
export function merged(before: Matrix, now: Matrix, { faults, variants }: Known, headers: readonly Header[]): Matrix {
  const rows = {
    faults: rowsFor(faults, faultKey, now.faults, before.faults),
    variants: rowsFor(variants, variantKey, now.variants, before.variants),
  }
  return { ...rows, unproven: unprovenBy(rows.faults, headers) }
}

function rowsFor<There, Row>(
  there: readonly There[],
  key: (one: There | Row) => string,
  now: readonly Row[],
  before: readonly Row[],
): Row[] {
  const rows = new Map([...before, ...now].map((row) => [key(row), row]))
  return there.flatMap((one) => rows.get(key(one)) ?? [])
}

function faultKey(fault: Fault | FaultRow): string {
  const due = 'turnsRed' in fault ? fault.turnsRed : fault.expected
  const besides = fault.spreadsTo.length > 0 ? ` (${fault.spreadsTo.join(', ')})` : ''
  return `${fault.name} → ${due.join(', ')}${besides}`
}
const variantKey = ({ name, warns }: Pick<Variant, 'name' | 'warns'>) => [name, ...warns].join(' → ')

function differences(what: string, written: readonly string[], there: readonly string[]): string[] {
  return [
    ...there.filter((one) => !written.includes(one)).map((one) => `not written: ${what} ${one}`),
    ...written.filter((one) => !there.includes(one)).map((one) => `no longer there: ${what} ${one}`),
  ]
}
