import { kinds, madeKinds, type PublishedKind, publishedKinds } from '../api/kinds.ts'
import { ownConfiguration } from '../arrange/published-bodies.ts'
import { childrenOf, descendantsOf } from '../arrange/scratch.ts'
import type { Answer } from '../http/call.ts'
import type { Driver } from './driver.ts'
import { inParallel } from './in-parallel.ts'
import { briefCorners } from './steps/corners.ts'
import { askManyLevels, longCorners } from './steps/long-corners.ts'
import { askNamesHad } from './steps/named-lists.ts'
import { namesakes } from './steps/namesakes.ts'
import { otherKinds } from './steps/other-kinds.ts'
import { otherV1Kinds } from './steps/other-v1-kinds.ts'
import { ownedMembers } from './steps/owned-members.ts'
import { plainSteps } from './steps/plain-steps.ts'
import { publishedSteps } from './steps/published-steps.ts'
import { slightChanges } from './steps/slight-changes.ts'
import { type Command, makeWorld, type World } from './world.ts'

/** Commands that are sent at once: they touch different things. */
type Round = readonly Command[]

/** Sends rounds of commands to a full world, and reads everything after every `perFrame` of them; returns how many. */
async function askEach(driver: Driver, world: World, rounds: readonly Round[], perFrame: number): Promise<number> {
  await driver.frame()
  for (const [index, round] of rounds.entries()) {
    await Promise.all(round.map((command) => driver.send(async () => (await command(driver, world)) as Answer)))
    if ((index + 1) % perFrame === 0) await driver.frame()
  }
  await driver.frame()
  return rounds.flat().length
}

/** Makes each single change to a full world once, and reads it after each; returns how many. */
export async function askEffects(driver: Driver): Promise<number> {
  const world = await makeWorld(driver)
  await lookAtOffered(driver, world)
  const asked = await askEach(driver, world, plainSteps, 1)
  await lookAtOffered(driver, world)
  await changeOffered(driver, world)
  await lookInside(driver, world)
  await askNamesHad(driver, 'identities', driver.scope)
  await walkAll(driver)
  return asked
}

/** Lists the kinds whose body is not shown: what these lists have shown they go on showing, whatever else changes (R29). */
const lookAtOffered = (driver: Driver, { places }: World) =>
  Promise.all(places.slice(0, 3).flatMap(({ group }) => publishedKinds.map((kind) => driver.children(kind, group.uid))))

/** Changes and deletes one of each kind whose body is not shown. */
async function changeOffered(driver: Driver, world: World): Promise<void> {
  for (const kind of publishedKinds) {
    const [one, other] = world.offered[kind] ?? []
    const home = one && driver.homeOf(one, kind)
    // there is no such role, and a name is not empty (R3, R38)
    const bad = kind === 'groupInvites' ? { roleUid: home } : { name: '', description: `refused ${driver.name()}` }
    if (home) await driver.offered(kind, home, bad)
    if (home && kind === 'identityProviders') await driver.offered(kind, home, { oidc: withoutIssuer })
    // what this list has shown it goes on showing (R49)
    const look = () => home && driver.children(kind, home)
    await look()
    if (one) for (const body of bodiesFor(kind, driver)) await driver.send(() => driver.api[kind].update(one.uid, body))
    await look()
    if (home) await askNamesHad(driver, kind, home)
    if (other) await driver.send(() => driver.api[kind].delete(other.uid))
    await driver.frame([...madeKinds, kind])
  }
}

/** What may be sent to change something whose body is not shown; a refused one changes nothing (R29). */
const bodiesFor = (kind: PublishedKind, driver: Driver): Record<string, unknown>[] => [
  ...(kinds[kind].described
    ? [
        { description: `new <b>&amp; "${driver.name()}"` },
        { name: '', description: `refused ${driver.name()}` },
        { name: `Capitals & Ünïcödé ${driver.name()}` },
        { name: `00${driver.draw.below(1_000_000_000)}` },
      ]
    : []),
  ...(kind === 'identityProviders'
    ? [{ oidc: ownConfiguration(driver.name()) }, { name: driver.name(), oidc: withoutIssuer }]
    : []),
]

/** No configuration of an identity provider. */
const withoutIssuer = { clientId: 'nobody' }

const oneByOne = (commands: readonly Command[]): Round[] => commands.map((command) => [command])

/** Commands that combine calls, divided among worlds. */
const combined = [
  briefCorners,
  [...longCorners, ...otherKinds, ...otherV1Kinds],
  [...ownedMembers, ...slightChanges, ...publishedSteps],
  namesakes,
]

/** Asks in a full world beside the others, in a group of its own; does nothing if that was refused. */
async function inOwnWorld(driver: Driver, ask: (inner: Driver, world: World) => Promise<unknown>): Promise<void> {
  const inner = await driver.within()
  if (inner) await ask(inner, await makeWorld(inner))
}

/** Sends the commands that combine calls to full worlds side by side, and reads each after each; returns how many. */
export async function askCorners(driver: Driver): Promise<number> {
  await Promise.all([
    askManyLevels(driver),
    ...combined.map((commands) => inOwnWorld(driver, (inner, world) => askEach(inner, world, oneByOne(commands), 1))),
  ])
  await walkAll(driver)
  return combined.flat().length
}

/** Commands of few calls, divided among worlds. */
const brief = [briefCorners, [...namesakes, ...ownedMembers]]

/** More levels than are common, and few enough to be made again. */
const someLevels = 16

/** Sends commands of few calls to full worlds side by side, and reads each now and then; returns how many. */
export async function askBrief(driver: Driver): Promise<number> {
  await Promise.all([
    askManyLevels(driver, someLevels),
    ...brief.map((commands) => inOwnWorld(driver, (inner, world) => askEach(inner, world, oneByOne(commands), 8))),
    inOwnWorld(driver, async (inner, world) => {
      await askEach(inner, world, plainSteps, 3)
      await changeOffered(inner, world)
    }),
  ])
  return [...brief, plainSteps].flat(2).length
}

/** Lists what each group of the world holds: things of the groups above may be bound there. */
async function lookInside(driver: Driver, { places }: World): Promise<void> {
  const scopes = places.flatMap(({ group: { uid } }) => [childrenOf(uid), descendantsOf(uid)])
  await inParallel(scopes, 4, async (scope) => {
    for (const kind of madeKinds) await driver.list(kind, scope)
  })
}

/** Later pages may embed and show what is stored elsewhere. */
async function walkAll(driver: Driver): Promise<void> {
  for (const kind of madeKinds) await driver.walk(kind, { ...descendantsOf(driver.scope), page_size: 4 })
}
