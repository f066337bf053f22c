import { inject } from 'vitest'
import { Client } from './client.ts'
import { Clock } from './clock.ts'
import type { Config } from './config.ts'
import { Secrets } from './exchange.ts'
import { Journal } from './journal.ts'
import { Names } from './names.ts'
import { Paths } from './paths.ts'
import type { Reach } from './resources.ts'
import { type TokenSource, tokenSource } from './token.ts'

declare module 'vitest' {
  interface ProvidedContext {
    /** What the command line settled: the configuration, and where the journal stands. */
    run: Given
  }
}

/** What a run is given besides its settings, as paths of files. */
interface Given {
  config: Config
  journal?: string
  /** Where page tokens are left for a later run; absent where no folder is kept. */
  keep?: string
  /** Set where a group of the run's own stays for that, until its page tokens are spent. */
  lasts?: true
  /** Where an earlier run left them. */
  resume?: string
  /** Set where hours are waited for that nobody lets pass. */
  waits?: true
  /** Set where a case that passes hands over its exchanges, too. */
  shows?: true
  /** Set where what failing cases made stays. */
  spares?: true
}

/** What all cases of a run share. */
export interface Run extends Reach, Omit<Given, 'journal'> {
  secrets: Secrets
  tokens: TokenSource
  names: Names
  clock: Clock
}

/** Opens what all cases of a run share. */
export function openRun(): Run {
  const { journal, ...given } = inject('run')
  const { config } = given
  const secrets = new Secrets()
  const tokens = tokenSource(config, secrets)
  const client = new Client(config, secrets, tokens)
  return {
    ...given,
    secrets,
    tokens,
    client,
    journal: new Journal(config.target.groupUid, journal, config.target.nonemptyGroupUid),
    paths: new Paths(config.target.apiVersion),
    names: new Names(),
    clock: new Clock(config, secrets, client),
  }
}
