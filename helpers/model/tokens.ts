/** The pages of a walk up to one of its tokens. */
export interface Walk {
  /** When the first page was asked for. */
  began: number
  /** True where nothing was skipped. */
  whole: boolean
  /** The uids of the page that has the token. */
  uids: readonly string[]
  /** The walk up to the page before, where that is known. */
  before: Walk | undefined
}

/** A page token: where its page ended (S4.12). */
export interface Token {
  query: string
  position: number
  stamp: number
  /** By the target's clock, in milliseconds. */
  time: number
  size: string | undefined
  walk: Walk
  used: boolean
  n: number
}

/** An API token of an exchange (S5.4). */
export interface Issued {
  identity: string
  /** When it was asked for, by the target's clock and by ours, in milliseconds. */
  time: number
  sent: number
  n: number
  /** True where a call with it succeeded. */
  used?: true
}
