import { inject } from 'vitest'
import type { ApiContext } from '../api/api.ts'
import { Clock } from '../api/clock.ts'
import { Journal } from '../api/journal.ts'
import { Names } from '../api/names.ts'
import { Paths } from '../api/resource-path.ts'
import { type TokenSource, tokenSource } from '../http/access-token.ts'
import { Client } from '../http/client.ts'
import { Secrets } from '../http/secrets.ts'
import { AllAnswers } from '../invariants/all-answers.ts'
import type { Config } from '../settings/configuration.ts'
import { signedByOwn } from '../sts/issuer.ts'
import { ModelAnswers } from './model-answers.ts'

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
export interface Run extends ApiContext, Omit<Given, 'journal'> {
  secrets: Secrets
  tokens: TokenSource
  names: Names
  clock: Clock
  /** What is kept of every answer for the cases that judge the whole run. */
  allAnswers: AllAnswers
  /** The model that judges every answer. */
  model: ModelAnswers
}

/** Opens what all cases of a run share. */
export function openRun(): Run {
  const { journal, ...given } = inject('run')
  const { config } = given
  const secrets = new Secrets()
  const tokens = tokenSource(config, secrets)
  const client = new Client(config, secrets, tokens)
  const allAnswers = new AllAnswers()
  const clock = new Clock(config, secrets, client)
  // where a hook moves the clock, a gateway's Date may know nothing of it (R2)
  const now = () => (clock.movable ? clock.told() : allAnswers.lastDate)
  const model = new ModelAnswers({ client, version: config.target.apiVersion, signedByOwn, now })
  clock.onMoved = (seconds) => model.judge.moved(seconds)
  client.onAnswer = (answer, { query }) => allAnswers.note(answer, query)
  return {
    ...given,
    secrets,
    tokens,
    client,
    journal: new Journal(config.target.groupUid, journal, config.target.nonemptyGroupUid),
    paths: new Paths(config.target.apiVersion),
    names: new Names(),
    clock,
    allAnswers,
    model,
  }
}
