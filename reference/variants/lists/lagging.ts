import { type Variant, variant } from '../../fault.ts'
import type { Replacement } from '../../replace.ts'

/** The requirements that may warn where one view lags (R52). */
export const lagRows = [
  'list.lag',
  'list.lag.descendants',
  'list.lag.name',
  'list.lag.order',
  'service.lag.get',
  'service.lag.deletion',
  'binding.lag.embedded',
]

/** A variant whose lag may be seen through any view. */
export const lagging = (name: string, rules: Replacement): Variant =>
  variant(name, rules, [...lagRows, 'v1.lag'], 'may warn')
