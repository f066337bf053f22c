import type { KindName } from '../../api/kinds.ts'
import { isReceived, type Received } from '../../api/received.ts'
import { listedItems } from '../../arrange/listings.ts'
import { ownConfiguration } from '../../arrange/published-bodies.ts'
import { covering } from '../covering.ts'
import type { Driver } from '../driver.ts'
import { inParallel } from '../in-parallel.ts'
import { make } from '../world.ts'

/** What an Update sends of a member: nothing, another value, the present one, or an empty text. */
type Sent = 'absent' | 'other' | 'same' | 'empty'

/** A member that an Update may change. */
interface Member {
  sent: readonly Sent[]
  /** An unused value. */
  other(to: Driver, home: string): Promise<unknown>
  /** The present value, in a resource as it is shown. */
  same(shown: Record<string, unknown>): unknown
}

const plain = (name: string, ...sent: readonly Sent[]): Member => ({
  sent: ['absent', 'other', 'same', ...sent],
  other: async (to) => to.name(),
  same: (shown) => shown[name],
})
const uidIn = (value: unknown) => (isReceived(value) ? value.uid : undefined)
const text = { name: plain('name'), description: plain('description', 'empty') }

/** The members of each kind that an Update may change (S4.26). */
const membersOf = {
  groups: text,
  identities: {
    ...text,
    claimMatch: {
      ...plain('claimMatch'),
      other: async (to: Driver) => ({ issuer: 'https://issuer.example/members', subject: to.name() }),
    },
  },
  roleBindings: {
    identityUid: {
      ...plain('identityUid'),
      other: async (to: Driver, home: string) => (await to.identity(home))?.uid,
      same: ({ identity }) => uidIn(identity),
    },
    roleUid: {
      ...plain('roleUid'),
      other: (to: Driver) => to.anyRole(),
      same: ({ role }) => uidIn(role),
    },
  },
  identityProviders: {
    ...text,
    oidc: { ...plain('oidc'), sent: ['absent', 'other'], other: async (to: Driver) => ownConfiguration(to.name()) },
  },
  accountAssociations: text,
} satisfies Partial<Record<KindName, Record<string, Member>>>

/** How many resources of a kind share its rows; one alone is changed more often than a small number can count. */
const sharingOf = (kind: string) => (kind === 'groups' || kind === 'identities' ? 3 : 1)

/**
 * Updates resources of every kind that has an Update: with each pair of members as they may be sent, under each mask, and
 * reads each afterwards (S4.26 to S4.28, R31). Returns how many updates.
 */
export async function askMembers(driver: Driver): Promise<number> {
  const asked = Object.entries(membersOf).flatMap(([kind, members]) => {
    const names = Object.keys(members)
    const sent = Object.fromEntries(Object.entries<Member>(members).map(([name, { sent }]) => [name, sent]))
    const rows = covering({ ...sent, mask: [undefined, ...names] }, names.length > 2 ? 2 : 3, driver.draw, (row) =>
      names.some((name) => row[name] !== 'absent'),
    )
    const sharing = sharingOf(kind)
    return Array.from({ length: sharing }, (_, turn) => ({
      kind: kind as keyof typeof membersOf,
      rows: rows.filter((_, at) => at % sharing === turn),
    }))
  })
  await inParallel(asked, asked.length, ({ kind, rows }) => updateOne(driver, kind, rows))
  await driver.frame(Object.keys(membersOf) as KindName[])
  return asked.flatMap(({ rows }) => rows).length
}

/** Sends these updates one after the other to a new resource in a group of its own. */
async function updateOne(
  driver: Driver,
  kind: keyof typeof membersOf,
  rows: readonly Record<string, unknown>[],
): Promise<void> {
  const home = await driver.group(driver.scope)
  const made = home && (await make(driver, kind, home.uid))
  if (home === undefined || made === undefined) return
  let shown: Received = made
  for (const [turn, { mask, ...sent }] of rows.entries()) {
    const body: Record<string, unknown> = {}
    for (const [name, member] of Object.entries<Member>(membersOf[kind])) {
      if (sent[name] === 'other') body[name] = await member.other(driver, home.uid)
      if (sent[name] === 'same') body[name] = member.same(shown)
      if (sent[name] === 'empty') body[name] = ''
    }
    await driver.send(() => driver.api[kind].update(made.uid, body, { query: { updateMask: mask as string } }))
    // the other view may have kept what it was
    if (turn % 2 === 0) shown = (await driver.made(() => driver.api[kind].get(made.uid))) ?? shown
    else {
      const list = await driver.children(kind, home.uid)
      shown = (list && listedItems(kind, list).find(({ uid }) => uid === made.uid)) ?? shown
    }
    await driver.run.model.settled()
  }
}
