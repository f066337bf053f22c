import { isObject } from '../../api/received.ts'
import { childrenOf, descendantsOf } from '../../arrange/scratch.ts'
import type { Driver } from '../driver.ts'
import { type Command, update, updateIdentity } from '../world.ts'

const issuer = 'https://issuer.example/Slight'

/** What each Update of an identity changes, compared with its Create: as little as possible. */
const slight = [
  ['name', (text: string) => text.toUpperCase()],
  ['description', (text: string) => text.toUpperCase()],
  ['subject', (text: string) => text.toUpperCase()],
  ['issuer', (text: string) => text.toUpperCase()],
  ['issuer', (text: string) => `${text}/`],
  ['subject', (text: string) => text.replace('-', '.')],
] as const

/** Pairs of texts that a weak comparison takes for the same: blanks, accents, numbers, words. */
const alike = [
  ['two  words', 'two words'],
  ['café and naïve', 'cafe and naive'],
  ['1e2', '100'],
  ['007', '7'],
  ['0.10', '0.1'],
  ['true', '1'],
  ['null', 'NULL'],
  ['straße', 'strasse'],
  ['a\u00a0b', 'a b'],
  ['a 😀 b', 'a 🙂 b'],
] as const

/** Commands that change little: capitals, punctuation, one claim of two; and what may be kept in its old form. */
export const slightChanges: readonly Command[] = [
  // capitals in a description and punctuation in a name, alone and together
  async (to, { otherRoot }) => {
    const home = otherRoot!.group.uid
    const [first, second] = [to.name(), to.name()]
    const named = await to.group(home, { name: `${first} a.b`, description: `Some of ${first}` })
    await update(to, named?.uid, { name: `${first}-a.b` })
    const described = await to.group(home, { name: `${second} a-b`, description: `Some of ${second}` })
    await update(to, described?.uid, { description: `some of ${second}` })
    const both = await to.group(home, { name: `${first} b_c`, description: `All of ${second}` })
    await update(to, both?.uid, { name: `${first} b-c`, description: `ALL OF ${second}` })
    await to.list('groups', { ...childrenOf(home), name: `${first}-a.b` })
  },
  // of an identity that is bound in its group
  async (to, { leaf }) => {
    const home = leaf!.group.uid
    for (const [member, change] of slight) {
      const name = to.name()
      const own: Record<string, string> = { name, description: `Slight ${name}`, issuer, subject: `Of-${name}` }
      const made = await identityOf(to, home, own)
      await to.binding(home, made)
      await updateIdentity(to, made?.uid, membersOf({ ...own, [member]: change(own[member]!) }, member))
    }
  },
  // each way from one of two texts that look alike to the other: a description, a subject, and a number for a name
  async (to, { leaf }) => {
    const home = leaf!.group.uid
    const [group, owner] = [await to.group(home), await to.identity(home)]
    const change = async (text: string) => {
      await update(to, group?.uid, { description: text })
      await updateIdentity(to, owner?.uid, { description: text, claimMatch: { issuer, subject: text } })
    }
    for (const [one, other] of alike) for (const text of [one, other, one]) await change(text)
    const named = await to.group(home, { name: '0500' })
    for (const name of ['500', '500.0', '5e2']) await update(to, named?.uid, { name })
  },
  // two that differ only in capitals, in their names as well where the target takes such
  async (to, { leaf }) => {
    const [home, word] = [leaf!.group.uid, to.name()]
    for (const subject of [`twin-${word}`, `TWIN-${word}`]) {
      const twin = (name: string) => identityOf(to, home, { name, description: subject, issuer, subject })
      if (!(await twin(subject.replace('-', '')))) await twin(to.name())
    }
  },
  // claims that a mask lists: showing them in the answer is not enough (R25)
  async (to, { leaf }) => {
    const owner = await to.identity(leaf!.group.uid)
    const binding = await to.binding(leaf!.group.uid, owner)
    const claimMatch = { issuer, subject: `masked ${to.name()}` }
    await updateIdentity(to, owner?.uid, { claimMatch, name: to.name() }, 'claimMatch')
    if (binding) await to.send(() => to.api.roleBindings.get(binding.uid))
  },
  // bound three levels below its group, then changed
  async (to, { root, deep }) => {
    const owner = await to.identity(root!.group.uid)
    await to.binding(deep!.group.uid, owner)
    await updateIdentity(to, owner?.uid, { claimMatch: { issuer, subject: `far ${to.name()}` } })
  },
  // the claims of a deleted one, in one without a description (R6)
  async (to, { otherRoot }) => {
    const [home, subject] = [otherRoot!.group.uid, to.name()]
    const gone = await identityOf(to, home, { name: to.name(), description: `gone ${subject}`, issuer, subject })
    const binding = await to.binding(home, gone)
    if (binding) await to.send(() => to.api.roleBindings.delete(binding.uid))
    if (gone) await to.send(() => to.api.identities.delete(gone.uid))
    await to.binding(home, await to.identity(home, { claimMatch: { issuer, subject } }))
    // and what is deleted stays deleted (R28, R38)
    await updateIdentity(to, gone?.uid, { description: `again ${subject}` })
  },
  // the name of a deleted one, by a rename
  async (to, { otherRoot }) => {
    const [home, name] = [otherRoot!.group.uid, to.name()]
    const [gone, stays] = [await to.group(home, { name }), await to.group(home)]
    if (gone) await to.send(() => to.api.groups.delete(gone.uid))
    await update(to, stays?.uid, { name })
    await to.list('groups', { ...childrenOf(home), name })
  },
  // the same letters, divided in another way, or swapped
  async (to, { otherRoot }) => {
    const [home, name, other] = [otherRoot!.group.uid, to.name(), to.name()]
    const divided = await to.group(home, { name: `${name}a`, description: `b ${name}` })
    await update(to, divided?.uid, { name, description: `ab ${name}` })
    const swapped = await to.group(home, { name: other, description: `${other}s` })
    await update(to, swapped?.uid, { name: `${other}s`, description: other })
    const one = await identityOf(to, home, { name, description: other, issuer: `${issuer}a`, subject: `b${name}` })
    await updateIdentity(to, one?.uid, { claimMatch: { issuer, subject: `ab${name}` } })
    await updateIdentity(to, one?.uid, { name: other, description: name })
  },
  // a name that was searched for before anything had it
  async (to, { otherRoot }) => {
    const home = otherRoot!.group.uid
    for (const kind of ['groups', 'identities'] as const) {
      const name = to.name()
      const look = async () => {
        for (const scope of [childrenOf(home), descendantsOf(home)]) await to.list(kind, { ...scope, name })
      }
      await look()
      if (kind === 'groups') await to.group(home, { name })
      else await to.identity(home, { name })
      await look()
    }
  },
  // a create refused for its last member leaves nothing behind (R29)
  async (to, { otherRoot }) => {
    const home = otherRoot!.group.uid
    for (const description of [null, 7, ['a'], { a: 'b' }]) {
      await to.send(() => to.api.groups.create(home, { name: to.name(), description }))
      await to.identity(home, { description })
      // v1 checks a body of its own (R29, S9.4), and does not always answer how it read a number
      if (description === null || typeof description === 'number') continue
      await to.send(() => to.v1.create(home, { name: to.name(), description }))
      await to.send(() => to.v1.replace(home, { name: to.name(), description }))
    }
    // half a claim match is none (S2.11)
    for (const claimMatch of [{ issuer }, { subject: to.name() }]) await to.identity(home, { claimMatch })
    await to.identity(home)
    for (const kind of ['groups', 'identities'] as const) await to.children(kind, home)
  },
  // what was read before another change, sent back with a new name (R5, R31)
  async (to, { leaf }) => {
    const home = leaf!.group.uid
    const [group, owner] = [await to.group(home), await to.identity(home)]
    if (group === undefined || owner === undefined) return
    const read = await to.made(() => to.api.groups.get(group.uid))
    const readOwner = await to.made(() => to.api.identities.get(owner.uid))
    const inV1 = (await to.send(() => to.v1.get(group.uid)))?.json
    await update(to, group.uid, { description: `meanwhile ${to.name()}` })
    await updateIdentity(to, owner.uid, { description: `meanwhile ${to.name()}` })
    if (isObject(inV1)) await to.send(() => to.v1.replace(group.uid, { ...inV1, name: to.name() }))
    if (read) await update(to, group.uid, { ...read, name: to.name() })
    if (readOwner) await updateIdentity(to, owner.uid, { ...readOwner, name: to.name() })
  },
  // a description that v1 emptied stays empty (S9.4, R31)
  async (to, { leaf }) => {
    const group = await to.group(leaf!.group.uid, { description: 'first' })
    if (group === undefined) return
    const get = () => to.send(() => to.api.groups.get(group.uid))
    for (const emptied of [{ description: '' }, {}]) {
      await to.send(() => to.v1.replace(group.uid, { name: to.name(), ...emptied }))
      await get()
      await update(to, group.uid, { name: to.name() }, 'name')
      await get()
      await update(to, group.uid, { description: `later ${to.name()}` })
    }
  },
  // a mask that lists only what stays the same, or what the body lacks, beside what it does not list (R31)
  async (to, { leaf }) => {
    const home = leaf!.group.uid
    const kept = { description: 'kept' }
    const [group, owner] = [await to.group(home, kept), await to.identity(home, kept)]
    const other = () => ({ name: to.name(), description: to.name() })
    await update(to, group?.uid, { ...other(), name: group?.name }, 'name')
    await update(to, group?.uid, { ...other(), description: 'kept' }, 'description')
    await updateIdentity(to, owner?.uid, { ...other(), name: owner?.name }, 'name')
    await updateIdentity(to, owner?.uid, { name: to.name() }, 'description')
  },
  // bound, unbound and bound again, twice
  async (to, { leaf }) => {
    const home = leaf!.group.uid
    const owner = await to.identity(home)
    for (const isLast of [false, false, true]) {
      const binding = await to.binding(home, owner)
      if (binding && !isLast) await to.send(() => to.api.roleBindings.delete(binding.uid))
    }
  },
]

/** Members of an identity, by name. */
interface Own extends Record<string, string | undefined> {
  name?: string
  issuer?: string
  subject?: string
}

const identityOf = (to: Driver, home: string, { name, description, issuer, subject }: Own) =>
  to.identity(home, { name, description, claimMatch: { issuer, subject } })

/** A body with one member, or with both claims. */
const membersOf = (own: Own, member: string) =>
  member === 'issuer' || member === 'subject'
    ? { claimMatch: { issuer: own.issuer, subject: own.subject } }
    : { [member]: own[member] }
