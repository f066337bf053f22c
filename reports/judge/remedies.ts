import type { Report, Requirement } from '../../schemas/types.ts'

/** What nobody can change: what keeps this from being decided is lawful. */
export const beyondRemedy = 'nothing can be done: the target does what the contract leaves open'

/** What to do where a group takes no more, or none that lies deeper. */
const moreRoom =
  'give the run a group in which more may be made, five levels deep: name another in RMAPI_GROUP_UID, or raise its limits'

/** What an operator can do about a reason; the first that fits counts. */
const remedies: readonly (readonly [reason: RegExp, remedy: string])[] = [
  [/^there are no roles:/, 'find out why no role is listed: every target has viewer'],
  [/RMAPI_REGISTRY_GROUP_UID is not set/, 'set RMAPI_REGISTRY_GROUP_UID to a group that holds repos'],
  [
    /holds (no|any) |RMAPI_REGISTRY_GROUP_UID: found|nothing to judge|share a name|(different|unique) names/,
    'fill the group that is read, or name a fuller one',
  ],
  [/RMAPI_NONEMPTY_GROUP_UID is not set/, 'set RMAPI_NONEMPTY_GROUP_UID to a group with repos that may be lost'],
  [/no RMAPI_CLOCK_URL is set/, 'set RMAPI_CLOCK_URL, or run with --for-resume and continue three days later'],
  [/has to go before the clock moves/, 'find out why the target does not delete what is left'],
  [/clock hook|a clock to compare/, 'correct the clock hook that RMAPI_CLOCK_URL names'],
  [/no tokens are exchanged there/, 'set RMAPI_AUTH_URL to the address where tokens are exchanged'],
  [
    /own token issuer|does not take its claimMatch/,
    'let the target trust the issuer of RMAPI_ISSUER_URL, or set RMAPI_IDENTITY_UID',
  ],
  [/does not take its role/, 'let the token of the run bind the role viewer'],
  [/RMAPI_IDENTITY_UID was not exchanged/, 'set a fresh RMAPI_IDENTITY_TOKEN'],
  [/takes no connections|made no progress/, 'find out why the target went away, and run again'],
  [/API token ended|no longer accepted/, 'give the run a token that lives longer'],
  [/^this target serves gRPC, and neither /, 'set RMAPI_PROTO_DESCRIPTORS if they are named otherwise there'],
  // what was counted over gRPC was served there
  [/^(?!.* found \d+, needed \d+$).*(gRPC|RMAPI_GRPC_URL)/s, 'set RMAPI_GRPC_URL to the address where gRPC is served'],
  [/--read-only/, 'run without --read-only'],
  [/--keep /, 'run without --keep'],
  [
    /too busy|quota|\b429\b|\b(50[234]|52\d|530)\b|code"?:? ?8\b/,
    'raise the quota of the account, or slow the run down with --rate-limit',
  ],
  [/\banswered 4\d\d\b.*\b(deep|deeply|depth|nested|nesting)\b/is, moreRoom],
  [
    /lacks? the right|\b403\b|code"?:? ?7\b/,
    'give the token the right, or ask for the parts of the service that it covers',
  ],
  [/got no answer|no whole|hung up|kept connection/, 'run again, from where the network is steadier'],
  [/run (reached|was interrupted|ended|stopped)|never run|not run/, 'run again to the end'],
  [/^this target lets no .*code"?:? ?9\b/s, beyondRemedy],
  [/\.delete\b.*code"?:? ?9\b/s, 'find out why the target keeps what is to be deleted'],
  [/code"?:? ?9\b/, moreRoom],
  [/\b409\b|code"?:? ?(6|10)\b/, 'run again while nobody else writes there'],
  [/tokens with a signature/, "nothing can be done: the API's own tokens have no signature to change"],
  // whatever failed elsewhere in the run
  [
    /^this target (lets|shows) no |, whose path is not shown: |^nothing shows that |are refused \(R3\)|may work only once/,
    beyondRemedy,
  ],
  [/others changed/, 'run again while nobody else writes there'],
  [/earlier run is not yet/, 'continue when the earlier run is three days old'],
]

/** What to do where nothing else is known: in such a run, something else may be the reason. */
const otherwise: Partial<Record<Report['verdict'], string>> = {
  nonconformant: 'fix what failed first: this may follow from it',
  undetermined: 'run again: this may follow from what left the run undetermined',
}

/** What the operator can do about an inconclusive requirement in a run with that verdict. */
export function remedyFor(
  { blockedBy, note = '' }: Pick<Requirement, 'blockedBy' | 'note'>,
  verdict: Report['verdict'],
): string {
  if (blockedBy !== undefined) return `fix ${blockedBy} first`
  const known = remedies.find(([reason]) => reason.test(note))?.[1]
  return known ?? otherwise[verdict] ?? beyondRemedy
}

/** The requirement that blocks another one; if no row of it says what is wrong, with what came. */
export function blockerOf(
  { blockedBy = '', note = '' }: Pick<Requirement, 'blockedBy' | 'note'>,
  { requirements }: Pick<Report, 'requirements'>,
): string {
  const hasRow = requirements.some(({ id }) => id === blockedBy)
  return hasRow || note === '' ? blockedBy : `${blockedBy}: ${note}`
}

/** How the note ends of what found too little. */
export const tooLittle = / found \d+, needed \d+$/

/** The same where something else was not decided, whose reason follows. */
const followsFrom = /^.* found \d+, needed \d+, because \S+ is undecided: /

/** Why a requirement could not be decided: one reason for all that saw too little because something failed. */
export function whyUndecided(
  one: Pick<Requirement, 'blockedBy' | 'note'>,
  { verdict, requirements }: Pick<Report, 'verdict' | 'requirements'>,
): string {
  const { blockedBy, note = '' } = one
  if (blockedBy !== undefined) return `blocked by ${blockerOf(one, { requirements })}`
  const isLittle = tooLittle.test(note) && remedyFor(one, verdict) === otherwise.nonconformant
  return isLittle ? 'too little was seen to decide' : note.replace(followsFrom, '')
}
