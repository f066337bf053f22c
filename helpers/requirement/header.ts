/** How binding a requirement is (see the contract's rulings). */
export type Level = 'must' | 'should' | 'observe'

/** A part of the service with a verdict of its own. */
export type Profile = 'core' | 'identities' | 'registry' | 'vulnerabilities' | 'sts' | 'v1' | 'grpc' | 'time'

/** What a requirement says about itself: the row of the report. */
export interface Header {
  /** `family.aspect.claim`, which never changes; a claim on a kind other than groups ends in `@` and its plural. */
  id: string
  /** Its ids in earlier releases: selections, excuses and comparisons still find it by them. */
  formerly?: string[]
  level: Level
  /** The statements and rulings it comes from: 'S4.23', 'S4.8, R15'. */
  statement: string
  /** The words of the contract that the case checks, as in `contract.md`. */
  quote: string
  /** The claim in one sentence, true of a server that keeps the contract. */
  says: string
  /** Default: that of the family or the kind in its id, else core. */
  profile?: Profile
  /** Set where it is about HTTP itself: a run over another transport omits it. */
  over?: 'http'
  /**
   * Set where it waits, sends many calls one after the other, or must not be kept waiting: it begins, and has its turn,
   * before the others.
   */
  long?: true
  /**
   * Set where nothing else may be under way; 'whole run' where every call of the run is judged, in each shard its own.
   */
  alone?: true | 'whole run'
  /**
   * Ids or globs of plainer requirements: if one is red, it blocks this one. On another kind, the same claim of that
   * kind is meant (`id@kind`), if there is one. A star does not reach into the kind: `list.*` is about groups.
   */
  restsOn?: string[]
}
