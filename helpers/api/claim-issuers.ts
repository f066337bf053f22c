import { type Answer, succeeded } from '../http/call.ts'
import { distrusted, isSoftRefusal } from './soft-refusal.ts'

/** What identifies an identity. */
export interface ClaimMatch {
  issuer: string
  subject: string
}

/** The URL of an issuer that a target may trust; undefined where there is none. */
type Offered = () => Promise<string | undefined>

/**
 * Which issuer the identities of a run name (R54): an unreachable one if the target takes that, else the suite's own,
 * else that of the operator's identity.
 */
export class ClaimIssuers {
  readonly #offered: Offered[] = []
  #settled: Promise<string | undefined> | undefined

  /** Offers another issuer, for targets that take none of the earlier ones. */
  offer(issuer: Offered): void {
    this.#offered.push(issuer)
  }

  /** A claim match of its own for an identity; the first call finds with `make` which issuer the target trusts. */
  async matchFor(name: string, make: (match: ClaimMatch) => Promise<Answer>): Promise<ClaimMatch> {
    this.#settled ??= this.#settle(name, make)
    return matchOf(name, await this.#settled)
  }

  async #settle(name: string, make: (match: ClaimMatch) => Promise<Answer>): Promise<string | undefined> {
    const isTaken = async (issuer: string | undefined, attempt: number) =>
      !mayBeForIssuer(await make(matchOf(`${name}${'abc'[attempt]}`, issuer)))
    if (await isTaken(undefined, 0)) return undefined
    for (const [index, offered] of this.#offered.entries()) {
      const issuer = await offered().catch(() => undefined)
      if (issuer !== undefined && (await isTaken(issuer, index + 1))) return issuer
    }
    return undefined
  }
}

/** True where another issuer may be taken: how one that cannot be reached is refused is not shown (R54, R56). */
const mayBeForIssuer = (answer: Answer) =>
  distrusted(answer) === 'claimMatch' || !(succeeded(answer) || isSoftRefusal(answer))

const matchOf = (name: string, issuer = `https://issuer.example/${name}`): ClaimMatch => ({
  issuer,
  subject: `subject-${name}`,
})
