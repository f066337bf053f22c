import type { Rules } from '../rules.types.ts'
import type { At, World } from './at.ts'
import { createStore } from './store.ts'

/** A world with its rules; several in one process share nothing. */
export interface Service extends World {
  readonly rules: Rules
}

/** The call that the domain serves: what a rule sees of it, and the rules to ask. */
export interface Context extends At {
  readonly world: Service
}

/** An empty service. */
export function createService(rules: Rules, now: () => number = Date.now): Service {
  let ahead = 0
  return {
    rules,
    store: createStore(),
    now: () => now() + ahead,
    advance(seconds) {
      ahead += seconds * 1000
    },
    operator: { subject: '', org: '' },
  }
}
