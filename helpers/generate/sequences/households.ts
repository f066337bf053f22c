import { type KindName, kinds, type PublishedKind, publishedKinds } from '../../api/kinds.ts'
import { isObject, type Received } from '../../api/received.ts'
import { ownConfiguration } from '../../arrange/published-bodies.ts'
import { childrenOf, descendantsOf } from '../../arrange/scratch.ts'
import type { Answer } from '../../http/call.ts'
import { type Driver, nextQuery } from '../driver.ts'
import { goodBody } from '../wire/operations.ts'
import { byNobody, update, updateIdentity } from '../world.ts'

/** The first identity of a household. */
export interface HouseholdOwner {
  uid: string
  /** Exchanges for the first time; undefined where that is refused. */
  assume(): Promise<Assumed | undefined>
}

/** What can be done with an identity that was assumed. */
interface Assumed {
  uid: string
  /** Uses the first API token that it got, and the newest. */
  look(): Promise<unknown>
  /** Exchanges, each in another way; all but the first may be refused. */
  exchanges: readonly (() => Promise<unknown>)[]
}

/** A group in which one thing of each kind has its name and its description, and the kinds refer to each other. */
interface Household {
  home: Received
  name: string
  description: string
  /** The first may be assumed; the second is deleted and made again. */
  owners: Received[]
  bindings: Received[]
  /** A binding of the first in a group below, which keeps its identity. */
  below: Received | undefined
  others: Partial<Record<PublishedKind, Received>>
  child: Received | undefined
}

type Event = (to: Driver, household: Household) => Promise<unknown>

const rebind = (to: Driver, { bindings }: Household, body: Record<string, unknown>): Promise<unknown> =>
  to.send(() => to.api.roleBindings.update(bindings[0]!.uid, body))

const roleUid = async (to: Driver, at: number) => (await to.roles())[at]?.uid

/** Updates one of the other kinds. */
const change = (to: Driver, { others }: Household, kind: PublishedKind, body: Record<string, unknown>) =>
  to.send(() => to.api[kind].update(others[kind]!.uid, body))

/** Makes one of the other kinds; an identity provider has the issuer of the one before, and of an identity. */
async function make(to: Driver, household: Household, kind: PublishedKind): Promise<void> {
  const { home, name, description, owners, others } = household
  const claims = owners.at(-1)?.claimMatch
  const issuer = isObject(claims) && typeof claims.issuer === 'string' ? claims.issuer : undefined
  const oidc = kind === 'identityProviders' ? { oidc: ownConfiguration(name, issuer) } : {}
  const named = kinds[kind].described ? { name, description, ...oidc } : {}
  const made = await to.offered(kind, home.uid, named)
  if (made) others[kind] = made
}

async function remake(to: Driver, household: Household, kind: PublishedKind): Promise<void> {
  await to.send(() => to.api[kind].delete(household.others[kind]!.uid))
  await make(to, household, kind)
}

/** A create in a group without a known token: nothing is made (R39). */
const refused = async (to: Driver, kind: KindName, home: Received | undefined) =>
  home && byNobody(to, kind, home.uid, 'POST', await goodBody(to, kind, undefined))

/** What may happen in a household, in any order. */
const householdEvents: readonly Event[] = [
  (to, { home }) => update(to, home.uid, { name: to.name() }),
  (to, { home, name }) => update(to, home.uid, { name }),
  (to, { home }) => update(to, home.uid, { description: `of the home ${to.name()}` }, 'description'),
  (to, { home, name }) => to.send(() => to.v1.replace(home.uid, { name, description: `by v1 ${to.name()}` })),
  // a whole group has a name (S2.6, R45)
  (to, { home }) => to.send(() => to.v1.replace(home.uid, { description: `without a name ${to.name()}` })),
  (to, { home }) => to.send(() => to.api.groups.delete(home.uid)),
  // an unknown member is ignored, or the call refused (R32)
  (to, { home }) => update(to, home.uid, { description: `with more ${to.name()}`, [to.name()]: 1 }),
  (to, { home }) => to.send(() => to.api.groups.create(home.uid, { name: `Bad@${to.name()}` })),
  (to, { home, child }) => to.group(home.uid, { name: child?.name, description: `beside ${to.name()}` }),
  (to, { child }) => refused(to, 'groups', child),
  async (to, household) => {
    const { child, home, name } = household
    if (child) await to.send(() => to.api.groups.delete(child.uid))
    household.child = await to.group(home.uid, { name })
  },
  ...(['accountAssociations', 'identityProviders'] as const).flatMap((kind): Event[] => [
    (to, household) => change(to, household, kind, { name: to.name() }),
    (to, household) => change(to, household, kind, { description: `other ${to.name()}` }),
    (to, household) => make(to, household, kind),
    (to, household) => remake(to, household, kind),
  ]),
  (to, household) => change(to, household, 'identityProviders', { oidc: ownConfiguration(to.name()) }),
  (to, household) => remake(to, household, 'groupInvites'),
  (to, { home }) => refused(to, 'groupInvites', home),
  (to, { home }) => refused(to, 'accountAssociations', home),
  async (to, household) => rebind(to, household, { roleUid: await roleUid(to, 2) }),
  async (to, { below }) => {
    const other = await roleUid(to, 2)
    return below && to.send(() => to.api.roleBindings.update(below.uid, { roleUid: other }))
  },
  (to, household) => rebind(to, household, { identityUid: household.owners[1]?.uid }),
  (to, household) => rebind(to, household, { identityUid: household.owners[0]?.uid }),
  // there is no such role (R38)
  (to, household) => rebind(to, household, { identityUid: household.owners[1]?.uid, roleUid: household.home.uid }),
  async (to, household) => {
    const [first] = household.bindings
    if (first) await to.send(() => to.api.roleBindings.delete(first.uid))
    const made = await to.binding(household.home.uid, household.owners[1], 1)
    if (made) household.bindings = [...household.bindings.slice(1), made]
  },
  (to, { owners }) => updateIdentity(to, owners[0]?.uid, { name: to.name(), description: `of the owner ${to.name()}` }),
  (to, { owners }) => {
    const claimMatch = { issuer: 'https://issuer.example/household', subject: to.name() }
    return updateIdentity(to, owners[1]?.uid, { claimMatch })
  },
  (to, { owners }) => byNobody(to, 'identities', owners[0]!.uid, 'DELETE'),
  // its name is required (S2.10)
  (to, { owners }) =>
    updateIdentity(to, owners[0]?.uid, { name: '', description: `refused ${to.name()}` }, 'name,description'),
  async (to, household) => {
    const { owners, home, name } = household
    const [first, second] = owners
    const answer = second && (await to.send(() => to.api.identities.delete(second.uid)))
    if (answer === undefined || answer.status > 299) return
    const made = await to.identity(home.uid, { name, claimMatch: second!.claimMatch })
    household.owners = [first!, ...(made ? [made] : [])]
  },
]

/** The events, with an exchange after every second one, each time in another way. */
const eventsWith = (drawn: readonly Event[], { exchanges }: Pick<Assumed, 'exchanges'> = { exchanges: [] }): Event[] =>
  drawn.flatMap((event, at) => {
    const exchange = at % 2 === 0 ? exchanges[(at / 2) % exchanges.length] : undefined
    return exchange ? [event, () => exchange()] : [event]
  })

/** Makes the first identity of a household, in its group. */
type Open = (home: string) => Promise<HouseholdOwner | undefined>

/**
 * Makes two households, and returns what lets every event happen to them, to the second in reverse order: any two follow
 * each other both ways. That returns how many events there were.
 */
export async function openHouseholds(
  driver: Driver,
  open: Open = async () => undefined,
): Promise<() => Promise<number>> {
  const drawn = driver.draw.some(householdEvents, householdEvents.length)
  const opened = await Promise.all([openIn(driver, open), openIn(driver, open)])
  return async () => {
    const orders = [drawn, drawn.toReversed()]
    await Promise.all(opened.map((one, at) => one && happenTo(driver, one, orders[at]!)))
    return 2 * drawn.length
  }
}

/** Makes two households and lets every event happen to them; returns how many events there were. */
export const askHouseholds = async (driver: Driver, open?: Open): Promise<number> =>
  (await openHouseholds(driver, open))()

interface OpenedHousehold {
  household: Household
  owner: HouseholdOwner | undefined
}

/** Makes a household in a group of its own. */
async function openIn(to: Driver, open: Open): Promise<OpenedHousehold | undefined> {
  const name = to.name()
  const description = `all called ${name}`
  const home = await to.group(to.scope, { name, description })
  if (home === undefined) return undefined
  const owner = await open(home.uid)
  const first = owner ? { uid: owner.uid } : await to.identity(home.uid, { name, description })
  const owners = [first, await to.identity(home.uid, { name, description })].filter((one) => one !== undefined)
  const bound = [await to.binding(home.uid, owners[0], 1), await to.binding(home.uid, owners[1])]
  const inner = await to.group(home.uid)
  const household: Household = {
    home,
    name,
    description,
    owners,
    bindings: bound.filter((one) => one !== undefined),
    below: inner && (await to.binding(inner.uid, owners[0], 1)),
    others: {},
    child: await to.group(home.uid),
  }
  for (const kind of publishedKinds) await make(to, household, kind)
  return { household, owner }
}

/** Lets the events happen to a household, and reads it after each. */
async function happenTo(to: Driver, { household, owner }: OpenedHousehold, drawn: readonly Event[]): Promise<void> {
  const assumed = await owner?.assume()
  for (const [at, event] of eventsWith(drawn, assumed).entries()) {
    const turned = await turn(to, household, at)
    await to.send(async () => (await event(to, household)) as Answer)
    await Promise.all([turned?.(), assumed?.look(), ...look(to, household, at)])
    // the next event would hide what shows late
    await to.run.model.settled()
  }
}

const everyKind: readonly KindName[] = ['roleBindings', 'identities', ...publishedKinds, 'groups']

/** Takes the first page of a list that goes on; returns what follows its token. */
async function turn(to: Driver, { home }: Household, at: number): Promise<(() => Promise<unknown>) | undefined> {
  const kind = everyKind[at % everyKind.length]!
  const query = { ...descendantsOf(home.uid), page_size: 1 }
  const next = nextQuery(query, await to.list(kind, query))
  return next && (() => to.walk(kind, next))
}

/** Two lists, each time of other kinds: what exists there, and what has its name. */
function look(to: Driver, { home, name }: Household, at: number): Promise<unknown>[] {
  const kind = everyKind[(at * 3 + 1) % everyKind.length]!
  const other = everyKind[(at * 5 + 2) % everyKind.length]!
  return [
    to.list(kind, { ...(at % 2 === 0 ? childrenOf(home.uid) : descendantsOf(home.uid)), page_size: 200 }),
    ...(at % 2 === 0 ? [to.send(() => to.v1.get(home.uid))] : []),
    to.list(other, { ...childrenOf(home.uid), ...(kinds[other].named ? { name } : {}), page_size: 200 }),
  ]
}
