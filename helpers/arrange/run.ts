import { inject } from 'vitest'
import type { ApiContext } from '../api/api.ts'
import { ClaimIssuers } from '../api/claim-issuers.ts'
import { Clock } from '../api/clock.ts'
import { Journal } from '../api/journal.ts'
import { Names } from '../api/names.ts'
import { Paths } from '../api/resource-path.ts'
import { SecondChances } from '../api/second-chances.ts'
import { type TokenSource, tokenSource } from '../http/access-token.ts'
import { Client } from '../http/client.ts'
import { Secrets } from '../http/secrets.ts'
import { AllAnswers } from '../invariants/all-answers.ts'
import { AnsweredOperations } from '../invariants/answered-operations.ts'
import { Lateness } from '../invariants/lateness.ts'
import type { Config } from '../settings/configuration.ts'
import { type Eventually, eventuallyWithin, type Patience, usualPatience } from './eventually.ts'

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
  /** How long a reading may take to fit; as R52 says unless the suite examines itself. */
  patience?: Patience
}

/** What all cases of a run share. */
export interface Run extends ApiContext, Omit<Given, 'journal' | 'patience'> {
  secrets: Secrets
  tokens: TokenSource
  names: Names
  clock: Clock
  /** What is kept of every answer for the cases that judge the whole run. */
  allAnswers: AllAnswers
  /** Which operations answered. */
  answered: AnsweredOperations
  /** How soon each door showed what the run wrote. */
  lateness: Lateness
  patience: Patience
  secondChances: SecondChances
  claimIssuers: ClaimIssuers
  /** Judges a reading of what the run wrote, for 5 seconds at the most (R52). */
  eventually: Eventually
  /** The same for exchanges and rights, which may take 10. */
  eventuallyAllowed: Eventually
}

/** Opens what all cases of a run share. */
export function openRun(): Run {
  const { journal, patience = usualPatience, ...given } = inject('run')
  const { config } = given
  const secrets = new Secrets()
  const tokens = tokenSource(config, secrets)
  const client = new Client(config, secrets, tokens)
  const allAnswers = new AllAnswers()
  const lateness = new Lateness()
  const answered = new AnsweredOperations()
  client.onAnswer = (answer, call) => {
    allAnswers.note(answer, call.query)
    answered.note(answer, call)
  }
  return {
    ...given,
    secrets,
    tokens,
    client,
    journal: new Journal(config.target.groupUid, journal, config.target.nonemptyGroupUid),
    paths: new Paths(config.target.apiVersion),
    names: new Names(),
    clock: new Clock(config, secrets, client),
    allAnswers,
    answered,
    lateness,
    patience,
    secondChances: new SecondChances(patience.rights),
    claimIssuers: new ClaimIssuers(),
    eventually: eventuallyWithin(patience.readings, lateness),
    eventuallyAllowed: eventuallyWithin(patience.rights, lateness),
  }
}
