import type { Replacement } from './replace.ts'

/** One broken decision, named as a complaint. */
export interface Fault {
  readonly name: string
  /** The requirements that it must turn red, by id or glob: three claims at most. */
  readonly turnsRed: readonly string[]
  /** Those that it may also turn red, by id or glob. */
  readonly spreadsTo: readonly string[]
  /** True if almost every requirement needs what it breaks. */
  readonly basic?: boolean
  readonly rules: Replacement
}

/** The requirements that a fault must turn red, and those that it may. */
type Marks = readonly string[] | Pick<Fault, 'turnsRed' | 'spreadsTo'>

/** Declares a fault. */
export function fault(name: string, marks: Marks, rules: Replacement): Fault {
  return { name, ...('turnsRed' in marks ? marks : { turnsRed: marks, spreadsTo: [] }), rules }
}

/** Declares a fault that breaks what almost every requirement needs. */
export function basicFault(name: string, marks: Marks, rules: Replacement): Fault {
  return { ...fault(name, marks, rules), basic: true }
}

/** A decision that the contract leaves open, made in another way: it must turn nothing red. */
export interface Variant {
  readonly name: string
  readonly rules: Replacement
  /** The ids of the requirements that a ruling lets warn. */
  readonly warns: readonly string[]
  /** Set if the load decides whether a warning comes. */
  readonly mayWarn?: true
}

/** Declares a variant. */
export function variant(name: string, rules: Replacement, warns: readonly string[] = [], may?: 'may warn'): Variant {
  return { name, rules, warns, ...(may && { mayWarn: true as const }) }
}
