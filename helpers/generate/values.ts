import { reservedWords } from '../api/names.ts'
import type { Received } from '../api/received.ts'
import { childrenOf, descendantsOf } from '../arrange/scratch.ts'
import type { Driver } from './driver.ts'
import { inParallel } from './in-parallel.ts'
import { malformed, twofold } from './texts/bodies.ts'
import { ambiguousNames, badNames, descriptions, joinedNames, ordinaryNames } from './texts/samples.ts'
import { update, identity as updateIdentity } from './world.ts'

/** How many calls are sent at once. */
const atOnce = 8

/** Tries enumerated values wherever they can be sent; returns how many. */
export async function askValues(driver: Driver): Promise<number> {
  const { scope, api } = driver
  const [target, identity] = await Promise.all([
    driver.group(scope, { description: 'as it was' }),
    driver.identity(scope),
  ])
  if (target === undefined) return 0
  let turn = 0
  await inParallel(badNames, atOnce, async (bad) => {
    const at = turn++
    const description = `beside a bad name ${driver.name()}`
    const body = { name: padded(bad, driver, at), description }
    await driver.send(() => api.groups.create(scope, body))
    // one that was refused may have been reserved
    if (at % 4 === 0) await driver.send(() => api.groups.create(scope, body))
    // without a mask and with one in turn, and in another length than the create
    const name = padded(bad, driver, at + 7)
    await update(driver, target.uid, at % 2 === 0 ? { name } : { name, description: 'x' }, ['name', undefined][at % 2])
    // and in v1, where every second one is a new group
    const other = padded(bad, driver, at + 3)
    if (at % 2 === 0) await driver.send(() => driver.v1.create(scope, { name: other, description }))
    else await driver.send(() => driver.v1.replace(target.uid, { name: other, description }))
  })
  await askOwnName(driver, target)
  await inParallel(malformed, atOnce, async (write) => {
    await driver.send(() => api.groups.create(scope, { raw: write(driver.name()) }))
    await driver.send(() => api.groups.update(target.uid, { raw: write(driver.name()) }))
  })
  await Promise.all(
    twofold.map(async (write) => {
      await driver.send(() => api.groups.create(scope, { raw: write(driver.name()) }))
      const group = await driver.group(scope)
      if (group) await driver.send(() => api.groups.update(group.uid, { raw: write(driver.name()) }))
    }),
  )
  for (const name of [null, 7, ['a'], {}, true]) await driver.send(() => api.groups.create(scope, { name }))
  // a name that only the prototype of an object has is none
  await driver.send(() => api.groups.create(scope, { raw: `{"__proto__": {"name": "${driver.name()}"}}` }))
  // no bytes change nothing (R37)
  await driver.send(() => api.groups.update(target.uid, { raw: '' }))
  await driver.frame(['groups'])
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
  await askNearNames(driver, target)
  await askRepeated(driver, target, identity)
  // a filter by what some languages take for nothing
  await inParallel(['0', 'false', 'null', 'undefined', 'none', 'no'], atOnce, (name) =>
    driver.list('groups', { ...childrenOf(scope), name }),
  )
  await inParallel([...descriptions.entries()], atOnce, async ([at, description]) => {
    const group = await driver.group(scope, { description })
    await update(driver, target.uid, { description })
    const bound = await driver.identity(scope, { description })
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
  await askClaims(driver)
  await askWords(driver)
  await inParallel(lengths, 3, (length) => askLength(driver, length))
  await driver.frame()
  return badNames.length + ordinaryNames.length + descriptions.length
}

/** Lengths of bad names: around the sizes at which a buffer, a column or a check may end. */
const badLengths = [0, 31, 63, 64, 65, 127, 128, 129, 255, 256, 257, 1000]

/** A name with one bad character among good ones: first, in the middle or last, each length at each place in turn. */
function padded(bad: string, driver: Driver, turn: number): string {
  if (bad === '') return bad
  const [good, length] = [driver.name(), badLengths[turn % badLengths.length]!]
  const room = Math.max(good.length, length - bad.length)
  const before = [0, Math.floor(room / 2), room][(turn + Math.floor(turn / badLengths.length)) % 3]!
  const text = good.padEnd(room, 'x')
  return text.slice(0, before) + bad + text.slice(before)
}

/** Renames a group to bad names close to its own: a weak comparison sees no change to check (R4). */
async function askOwnName(driver: Driver, { uid, name: own }: Received): Promise<void> {
  const name = String(own)
  const accented = name.replace(/[eiou]/, (letter) => `${letter}\u0301`)
  const near = [
    name.toUpperCase(), name.slice(0, 1).toUpperCase() + name.slice(1), name.slice(0, -1) + name.slice(-1).toUpperCase(), `${name}\n`,
    `${name}\u00a0`, `${name}\u0000`, accented, accented.normalize('NFC'),
  ] // biome-ignore format: a table
  for (const [at, bad] of near.entries()) {
    const beside = at % 2 === 0 ? {} : { description: 'as it was' }
    await update(driver, uid, { name: bad, ...beside })
    await update(driver, uid, { name: bad, ...beside }, 'name')
  }
  // v1 may have a regex of its own, and one that takes a line break at the end
  for (const bad of [name.toUpperCase(), `${name}\n`, `\n${name}`]) {
    await driver.send(() => driver.v1.replace(uid, { name: bad }))
    await driver.send(() => driver.v1.create(driver.scope, { name: bad }))
  }
  for (const blank of [` ${name}`, `${name} `]) await update(driver, uid, { name: blank })
  await driver.group(driver.scope, { name: name.toUpperCase() })
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
    'a&b=c',
    '"quoted"',
    '.*',
    'UPPER',
    '{}',
  ]
  await inParallel(subjects, 3, async (odd) => {
    const name = driver.name()
    const claimMatch = { issuer: `https://issuer.example/${name}/A%20b`, subject: `${odd} ${name}` }
    const made = await driver.identity(driver.scope, { name, claimMatch })
    if (made === undefined) return
    await driver.send(() => driver.api.identities.get(made.uid))
    await driver.binding(driver.scope, made)
    await driver.send(() =>
      driver.api.identities.update(made.uid, { claimMatch: { ...claimMatch, subject: `${name} ${odd}` } }),
    )
  })
}
