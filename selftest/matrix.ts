import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { packageRoot } from '../cli/input/package.ts'
import type { Header } from '../helpers/requirement/header.ts'
import { matchesGlob, type Selection } from '../helpers/requirement/selection.ts'
import type { Fault, Variant } from '../reference/replace.ts'
import { complaintsOnFault, complaintsOnVariants, type Examined, foundBy, isOfModel } from './judge.ts'
import type { Result } from './message.ts'

/** One fault, and what the suite says of a server that has it. */
export interface FaultRow {
  name: string
  /** The statements that it breaks, as the requirements that found it cite them. */
  statements: string[]
  /** The requirements that must turn red, by id or glob. */
  expected: string[]
  /** Where it may show besides, by id or glob. */
  spreadsTo: string[]
  /** The ids of those of either that did, and of those that gave way to one of these. */
  red: string[]
  /** What was missed, what else turned red, what of ours broke; empty where all is well. */
  complaints: string[]
  ms?: number
}

/** One lawful choice, and what the suite says of a server that takes it. */
export interface VariantRow {
  name: string
  /** The ids of the requirements that a ruling lets warn. */
  warns: string[]
  complaints: string[]
  ms?: number
}

/** What the suite finds, and whom it spares. */
export interface Matrix {
  faults: FaultRow[]
  variants: VariantRow[]
  /** The ids of the musts that no fault turned red. */
  unproven: string[]
}

/** The matrix that is checked in. */
export function readMatrix(): Matrix {
  return JSON.parse(readFileSync(join(packageRoot, 'reports/kill-matrix.json'), 'utf8')) as Matrix
}

/** Every how many requirements a fault meets one that it does not name. */
const everySoMany = 64

/** What a fault meets first: the requirements that it names, and of all others some, drawn by name: each meets many faults. */
export function narrowFor({ name, turnsRed }: Fault, headers: readonly Header[]): Selection {
  const drawn = headers.filter(({ id }) => digest(id) % everySoMany === digest(name) % everySoMany)
  return { only: [...turnsRed, ...drawn.map(({ id }) => id)], skip: [], profiles: [] }
}

/** What a fault meets where that does not tell: those in which it may show, and those that answer for the operations. */
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
    red: red.filter(among([...turnsRed, ...spreadsTo])),
    complaints: complaintsOnFault(fault, examined),
    ms: examined.ms,
  }
}

const among = (globs: readonly string[]) => (id: string) => globs.some((glob) => matchesGlob(id, glob))

function statementsOf(ids: readonly string[], { told }: Examined): string[] {
  const cited = told.filter(({ id }) => ids.includes(id)).flatMap(({ statement }) => statement.split(/, */))
  return [...new Set(cited.filter((one) => one.startsWith('S')))].sort(byNumber)
}

const byNumber = (a: string, b: string) => a.localeCompare(b, 'en', { numeric: true })

/** The row of a variant, as seen on a server that takes it with others or alone. */
export function variantRow(variant: Variant, server: readonly Variant[], result: Result): VariantRow {
  const row = { name: variant.name, warns: [...variant.warns] }
  if ('crash' in result) return { ...row, complaints: [result.crash] }
  const complaints = complaintsOnVariants(server, result.examined)
  const others = server.filter((other) => other !== variant).map(({ name }) => name)
  const beside = others.length === 0 || complaints.length === 0 ? [] : [`together with: ${others.join('; ')}`]
  return { ...row, complaints: [...complaints, ...beside], ms: result.examined.ms }
}

/** The ids of the musts that no fault names and turned red. */
export function unprovenBy(faults: readonly FaultRow[], headers: readonly Header[]): string[] {
  const proven = new Set(faults.flatMap(({ expected, red }) => red.filter(among(expected))))
  return headers.filter(({ id, level }) => level === 'must' && !proven.has(id) && !isOfModel(id)).map(({ id }) => id)
}

/** The same without times: what is compared from release to release. */
export function timeless({ faults, variants, unproven }: Matrix): Matrix {
  return {
    faults: faults.map(({ ms: _, ...row }) => row),
    variants: variants.map(({ ms: _, ...row }) => row),
    unproven,
  }
}

/** In what a matrix differs from the faults, variants and musts that there are, a line each. */
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
