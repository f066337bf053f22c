import { isDeepStrictEqual } from 'node:util'
import { instant } from '../api/instant.ts'
import { isObject, type Received } from '../api/received.ts'
import { violated } from './violation.ts'

/**
 * The members that the contract names for a group, an identity or a role (S2.5 to S2.13). Without `verified` and
 * `resourceLimits`, which a target may change at any time: the model judges them. Absent members do not count.
 */
const named = ['uid', 'name', 'description', 'claimMatch', 'createTime', 'updateTime']
const unset: Record<string, unknown> = { description: '' }

/**
 * Fails unless a later reading shows the same resource: equal in every member that the contract names, times as instants
 * (R55). Its `updateTime` may be later, as the target itself may move it (R26): the model judges that.
 */
export function same(got: Received, wanted: Received, ...aside: string[]): void {
  const [came, asked] = [comparable(got, aside), comparable(wanted, aside)]
  // a list may leave it out where no table names it (R1)
  const isLater = (member: string) =>
    member === 'updateTime' && (asked[member] === undefined || Number(came[member]) > Number(asked[member]))
  const differing = named.filter((member) => !isDeepStrictEqual(came[member], asked[member]) && !isLater(member))
  if (differing.length === 0) return
  // as the target wrote them, because nobody reads a time as a number
  const written = (of: Received) => Object.fromEntries(differing.map((member) => [member, of[member] ?? unset[member]]))
  violated({
    message: `the ${inWords(differing)} ${differing.length === 1 ? 'differs' : 'differ'}`,
    expected: written(wanted),
    got: written(got),
  })
}

const inWords = (members: readonly string[]) => members.join(', ').replace(/, (\w+)$/, ' and $1')

/** A resource in comparable form: named members only, an unset one as its zero value, times as instants. */
export function comparable(resource: Received, aside: readonly string[] = []): Record<string, unknown> {
  const members = named.filter((member) => !aside.includes(member))
  return Object.fromEntries(
    members.flatMap((member) => {
      const value = resource[member] ?? unset[member]
      return value === undefined ? [] : [[member, plain(member, value)]]
    }),
  )
}

/** A time as an instant; a claim match with only its issuer and subject, which the contract names (S2.11). */
function plain(member: string, value: unknown): unknown {
  if (member.endsWith('Time')) return instant(value)
  return member === 'claimMatch' && isObject(value) ? { issuer: value.issuer, subject: value.subject } : value
}
