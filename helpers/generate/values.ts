import { reservedWords } from '../api/names.ts'
import type { Received } from '../api/received.ts'
import { childrenOf, descendantsOf } from '../arrange/scratch.ts'
import type { Driver } from './driver.ts'
import { inParallel } from './in-parallel.ts'
import { askBadBodies, askBadNames } from './texts/refused-bodies.ts'
import { ambiguousNames, badNames, descriptions, joinedNames, ordinaryNames } from './texts/samples.ts'
import { update, updateIdentity } from './world.ts'

/** How many calls are sent at once. */
const atOnce = 8

/** Tries enumerated values wherever they can be sent; returns how many. */
export async function askValues(driver: Driver): Promise<number> {
  const { scope } = driver
  const [target, identity] = await Promise.all([
    driver.group(scope, { description: 'as it was' }),
    driver.identity(scope),
  ])
  if (target === undefined) return 0
  await askBadNames(driver, target)
  await askBadBodies(driver, target)
  await driver.frame(['groups'])
  await askGoodNames(driver)
  await askNearNames(driver, target)
  await askRepeated(driver, target, identity)
  // a filter by what some languages take for nothing
  await inParallel(['0', 'false', 'null', 'undefined', 'none', 'no'], atOnce, (name) =>
    driver.list('groups', { ...childrenOf(scope), name }),
  )
  await askDescriptions(driver, target, identity)
  await askClaims(driver)
  await askWords(driver)
  await inParallel(lengths, 3, (length) => askLength(driver, length))
  await askHugeText(driver, target)
  await driver.frame()
  return badNames.length + ordinaryNames.length + descriptions.length
}

/** Makes groups with names that must be accepted, lists them by name, and gives them another one of the same form. */
async function askGoodNames(driver: Driver): Promise<void> {
  const { scope, api } = driver
  await inParallel(ordinaryNames, atOnce, async (ordinary) => {
    const made = await driver.group(scope, { name: distinct(ordinary, driver) })
    if (made === undefined) return
    await driver.list('groups', { ...childrenOf(scope), name: String(made.name) })
    await driver.send(() => api.groups.update(made.uid, { name: distinct(ordinary, driver) }))
  })
  await inParallel([...ambiguousNames, ...joinedNames(driver.name())], atOnce, async (name) => {
    const made = await driver.group(scope, { name })
    if (made) await driver.list('groups', { ...descendantsOf(scope), name })
  })
}

/** Gives each description to a group, to an identity and to what is bound, through v2 and v1, with a mask and without. */
async function askDescriptions(driver: Driver, target: Received, identity: Received | undefined): Promise<void> {
  const { scope } = driver
  await inParallel([...descriptions.entries()], atOnce, async ([at, description]) => {
    const group = await driver.group(scope, { description })
    await update(driver, target.uid, { description })
    // an identity may be called anything, and keeps what was accepted (R3)
    const name = descriptions[(at + 5) % descriptions.length]
    const bound =
      (await driver.identity(scope, { name, description })) ?? (await driver.identity(scope, { description }))
    // what is bound also shows in the binding
    if (bound) await driver.binding(group?.uid ?? scope, bound)
    await updateIdentity(driver, identity?.uid, { description })
    // v1 has a reader and a writer of its own
    if (group && /[^\w .-]/.test(description)) {
      await driver.send(() => driver.v1.get(group.uid))
      const other = descriptions[(at + 2) % descriptions.length]
      await driver.send(() => driver.v1.replace(group.uid, { name: group.name, description: other }))
    }
    // a mask decides for itself what is empty
    const next = { description: descriptions[(at + 1) % descriptions.length] }
    await update(driver, group?.uid, next, 'description')
    await updateIdentity(driver, bound?.uid, next, 'description')
  })
}

/** Filters by what nearly is a name: with other blanks or endings, and the last part of a uid (S4.10). */
async function askNearNames(driver: Driver, { uid }: Received): Promise<void> {
  const [within, name] = [childrenOf(driver.scope), driver.name()]
  const blanks = [`${name} a`, `${name}  a`, `${name}   a`]
  for (const each of [...blanks.slice(0, 2), `${name} builds`]) await driver.group(driver.scope, { name: each })
  // another form of a word is another name
  const asked = [...blanks, `${name} build`, `${name} building`, `${name}s builds`, uid.slice(uid.lastIndexOf('/') + 1)]
  await Promise.all(asked.map((each) => driver.list('groups', { ...within, name: each })))
}

/** Sends one text twice: as a name and as a description. */
async function askRepeated(driver: Driver, { uid }: Received, identity: Received | undefined): Promise<void> {
  const { scope } = driver
  const [first, second, third] = [driver.name(), driver.name(), driver.name()]
  await driver.group(scope, { name: first, description: first })
  await driver.identity(scope, { name: first, description: first })
  await update(driver, uid, { name: second, description: second })
  await update(driver, uid, { description: third })
  await update(driver, uid, { name: third })
  await updateIdentity(driver, identity?.uid, { name: second, description: second })
}

/** Makes identities with a reserved word as name, description and subject. */
async function askWords(driver: Driver): Promise<void> {
  await inParallel(reservedWords, atOnce, async (word) => {
    const claimMatch = { issuer: `https://issuer.example/${driver.name()}`, subject: word }
    await driver.identity(driver.scope, { name: word, description: word, claimMatch })
  })
}

/** Lengths of texts that may be refused, and are kept as sent if accepted (R3, R6). */
const lengths = [65, 129, 257, 1100, 4200]

/** Gives names, descriptions, subjects and issuers of one length to a group and to bound identities. */
async function askLength(driver: Driver, length: number): Promise<void> {
  const { scope } = driver
  const text = () => `${`${driver.name()}-`.padEnd(length - 1, 'x')}z`
  const [issuer, subject] = [`https://issuer.example/${text()}`.slice(0, length), text()]
  const group = await driver.group(scope, { description: text() })
  // characters of two bytes: a chunk of a body may end within one
  const wide = await driver.group(scope, { description: `${driver.name()}-`.padEnd(length, 'é') })
  if (wide) await update(driver, wide.uid, { description: `${driver.name()}-e`.padEnd(length, 'é') })
  const named = await driver.group(scope, { name: text() })
  // a longer one may not fit into an address
  if (named && length < 1000) await driver.list('groups', { ...childrenOf(scope), name: String(named.name) })
  await driver.run.model.settled()
  if (group) {
    await update(driver, group.uid, { description: text() })
    await update(driver, group.uid, { description: text() }, 'description')
    await driver.send(() => driver.v1.replace(group.uid, { name: group.name, description: text() }))
  }
  if (named) {
    await update(driver, named.uid, { name: text() })
    await driver.send(() => driver.v1.replace(named.uid, { name: text() }))
    await driver.binding(named.uid, await driver.identity(named.uid))
  }
  await driver.send(() => driver.v1.create(scope, { name: text() }))
  const some = [
    await driver.identity(scope, { claimMatch: { issuer: `https://issuer.example/${driver.name()}`, subject } }),
    await driver.identity(scope, { claimMatch: { issuer, subject: driver.name() } }),
  ]
  const changed = await driver.identity(scope, { description: text() })
  const called = await driver.identity(scope, { name: text() })
  await updateIdentity(driver, called?.uid, { name: text() })
  for (const one of [...some, changed, called]) if (one) await driver.binding(group?.uid ?? scope, one)
  if (changed === undefined) return
  await updateIdentity(driver, changed.uid, {
    claimMatch: { issuer: `${issuer.slice(0, -1)}y`, subject: driver.name() },
  })
  await updateIdentity(driver, changed.uid, { description: text() })
}

/** More letters than a column of text, or a buffer, may hold. */
const huge = 66_000

/** Gives such a description to a new group, and to one that there is. */
async function askHugeText(driver: Driver, { uid }: Received): Promise<void> {
  const text = () => driver.name().padEnd(huge, 'x')
  await driver.group(driver.scope, { description: text() })
  await update(driver, uid, { description: text() })
  await driver.send(() => driver.api.groups.get(uid))
  // each list of the group would hold it
  await update(driver, uid, { description: 'short again' })
}

/** An unused name of the same form. */
function distinct(form: string, driver: Driver): string {
  const fresh = driver.name()
  if (form.length <= 3)
    return /[^a-z0-9]/.test(form) ? fresh.slice(0, 7) + form.slice(1) + fresh.slice(7).slice(0, 9) : form
  return form.length === 30 ? (fresh + form).slice(0, 30) : `${fresh} ${form}`.slice(0, 30)
}

/** Subjects and issuers that show as they were sent, on the identity and in its binding (S2.14, R6). */
async function askClaims(driver: Driver): Promise<void> {
  const subjects = [
    'repo:Acme/Shop:ref',
    'a b',
    'ünï',
    '🙂',
    'x'.repeat(120),
    '*',
    'a&b=c+d%41%20e',
    '"quoted"',
    '.*',
    'UPPER',
    '{}',
  ]
  const issuers = ['', ':443', ':8443'].flatMap((port) =>
    ['/A%20b', '/./a/../b', '//a/', '/%7Eab'].map((path) => [port, path]),
  )
  await inParallel([...subjects.entries()], 3, async ([at, odd]) => {
    const [port, path] = issuers[at % issuers.length]!
    // another name may be refused, as may an issuer whose address is not in its normal form (R3, R56)
    const name = path === issuers[0]![1] ? driver.name() : `${driver.name()}-i`
    const claimMatch = { issuer: `https://issuer.example${port}/${name}${path}`, subject: `${odd} ${name}` }
    const made = await driver.identity(driver.scope, { name, claimMatch })
    if (made === undefined) return
    await driver.send(() => driver.api.identities.get(made.uid))
    await driver.binding(driver.scope, made)
    await driver.send(() =>
      driver.api.identities.update(made.uid, { claimMatch: { ...claimMatch, subject: `${name} ${odd}` } }),
    )
  })
}
