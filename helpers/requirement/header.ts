/** How binding a requirement is (see the contract's rulings). */
export type Level = 'must' | 'should' | 'observe'

/** A part of the service with a verdict of its own. */
export type Profile = 'core' | 'identities' | 'registry' | 'vulnerabilities' | 'sts' | 'v1' | 'grpc' | 'time'

/** What a requirement says about itself: the report's row. */
export interface Header {
  /** `family.aspect.claim`, stable for ever; a claim on a kind other than groups ends in `@` and its plural. */
  id: string
  /** What it was called in earlier releases: picked, excused and compared by such an id it is still found. */
  formerly?: string[]
  level: Level
  /** The statements and rulings it stems from: 'S4.23', 'S4.8, R15'. */
  statement: string
  /** The words of the contract that the case checks, as they are in `contract.md`. */
  quote: string
  /** The claim in one sentence, as it holds on a server that keeps the contract. */
  says: string
  /** Default: core. */
  profile?: Profile
  /** Set where it is about HTTP itself: a run over another transport leaves it out. */
  over?: 'http'
  /** Set where nothing else may be under way; 'whole run' where every call of the run is judged: each shard asks it of its own. */
  alone?: true | 'whole run'
  /**
   * The beginnings of the ids that find in a few calls what this one finds in many: where such a must fails, this one
   * says nothing more, and is blocked by it.
   */
  deeperThan?: string[]
  /**
   * Ids or globs of plainer requirements: where such a one is red, this one is blocked by it. On another kind, the same
   * claim of that kind is meant (`id@kind`), if there is one.
   */
  restsOn?: string[]
}
