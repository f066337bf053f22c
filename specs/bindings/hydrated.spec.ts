import { expect } from 'vitest'
import { isObject, isReceived, uids } from '../../helpers/api/received.ts'
import { viewerRole } from '../../helpers/api/roles.ts'
import { ofEach } from '../../helpers/case/of-each.ts'
import { requirement } from '../../helpers/case/requirement.ts'
import { anotherClaim } from '../../helpers/sts/claims.ts'

const claimsOf = ({ claimMatch }: { [member: string]: unknown }) =>
  isObject(claimMatch) ? { issuer: claimMatch.issuer, subject: claimMatch.subject } : {}

requirement(
  {
    id: 'roleBinding.hydrated.renamed-identity',
    level: 'must',
    statement: 'S2.14, R7',
    quote: 'a binding made after a rename must show the new name',
    says: 'A role binding made after a rename of its identity shows the new name',
  },
  async ({ api, scratch, names, eventually, present }) => {
    const identity = await scratch.makeIdentity()
    await scratch.makeBinding(identity)
    await present(api.attempt.identities.update(identity.uid, { description: 'still the old name' }))
    const name = names.fresh()
    await api.identities.update(identity.uid, { name })

    await eventually(async () => {
      const binding = await scratch.makeBinding(identity, (await scratch.makeGroup()).uid)
      expect(binding.identity, 'the embedded identity').toMatchObject({ uid: identity.uid, name })
    })
  },
)

requirement(
  {
    id: 'roleBinding.hydrated.new-claims',
    level: 'must',
    statement: 'S2.14, S2.11, R7',
    quote: '`identity.subject` and `identity.issuer` must equal the claim match of the identity',
    says: 'A role binding made after an accepted change of claim match shows the new subject and issuer',
  },
  async ({ api, scratch, names, eventually }) => {
    const identity = await scratch.makeIdentity()
    await scratch.makeBinding(identity)
    const wanted = anotherClaim(identity, names.fresh())
    const { json } = await api.attempt.identities.update(identity.uid, { claimMatch: wanted })
    const changed = isObject(json) && isObject(json.claimMatch) && json.claimMatch.subject === wanted.subject
    // if the claim match cannot change, it is the first one
    const claimMatch = changed ? wanted : claimsOf(identity)

    await eventually(async () => {
      const binding = await scratch.makeBinding(identity, (await scratch.makeGroup()).uid)
      expect(binding.identity, 'the embedded identity').toMatchObject({ uid: identity.uid, ...claimMatch })
    })
  },
)

requirement(
  {
    id: 'roleBinding.hydrated.live-identity',
    level: 'should',
    statement: 'S2.14, R7',
    quote: 'an older binding that goes on showing the old name is a warning',
    restsOn: ['list.scope.children'],
    says: 'An older role binding shows the new name of its renamed identity, in Get and lists',
  },
  async ({ api, scratch, names, eventually, present }) => {
    const identity = await scratch.makeIdentity()
    const binding = await scratch.makeBinding(identity)
    await eventually(() => present(api.attempt.roleBindings.get(binding.uid)))
    await present(api.attempt.roleBindings.list(scratch.children))
    await present(api.attempt.identities.update(identity.uid, { description: 'still the old name' }))
    const name = names.fresh()
    await api.identities.update(identity.uid, { name })

    await eventually(async () => {
      const got = await api.roleBindings.get(binding.uid)
      const { items } = await api.roleBindings.list(scratch.children)
      const listed = items.find(({ uid }) => uid === binding.uid)
      const about = ofEach('the embedded identity', ['in Get', 'in the list'])
      expect([got.identity, listed?.identity], about).toMatchObject([{ name }, { name }])
    })
  },
)

requirement(
  {
    id: 'roleBinding.hydrated',
    level: 'must',
    statement: 'S2.14, S2.15, S4.5, R7',
    quote: 'answers the binding with its embedded objects filled in',
    says: 'A new role binding embeds its identity, its role and the group of the path',
  },
  async ({ api, scratch, atLeast }) => {
    const viewers = [await viewerRole(api)].filter((role) => role !== undefined)
    const [identity, some] = [await scratch.makeIdentity(), await scratch.someRoles(3)]
    const roles = [...some, ...viewers.filter(({ uid }) => !uids(some).includes(uid))]
    const group = await scratch.makeGroup({ description: 'holds a binding' })
    await scratch.makeBinding(await scratch.makeIdentity(), group.uid)

    const bodies = roles.map((role) => ({ identityUid: identity.uid, roleUid: role.uid }))
    const answers = await Promise.all(bodies.map((body) => api.attempt.roleBindings.create(group.uid, body)))
    const bound = answers.flatMap(({ json, exchange }, index) =>
      isReceived(json) ? [{ binding: json, role: roles[index]!, where: `in exchange ${exchange.number}` }] : [],
    )
    atLeast(1, 'roles that can be bound', bound.length)
    // others may rename or describe their roles meanwhile (R24)
    const later = await scratch.someRoles(50)

    const { uid, name, description } = identity
    for (const { binding, role, where } of bound) {
      expect(binding.identity, `the embedded identity, ${where}`).toMatchObject({
        uid,
        name,
        ...(description ? { description } : {}),
        ...claimsOf(identity),
      })
      expect(binding.group, 'the embedded group').toMatchObject({
        uid: group.uid,
        name: group.name,
        description: 'holds a binding',
      })
      const shown = [role, ...later.filter((one) => one.uid === role.uid)]
      const forms = shown.map(({ uid, name, description }) => ({
        uid,
        name,
        ...(description ? { description } : {}),
      }))
      const embedded: Record<string, unknown> = Object(binding.role)
      const fitting = forms.find((form) => Object.entries(form).every(([member, text]) => embedded[member] === text))
      expect(binding.role, `the embedded role, ${where}`).toMatchObject(fitting ?? forms[0]!)
    }
  },
)

requirement(
  {
    id: 'roleBinding.hydrated.renamed',
    level: 'must',
    statement: 'S2.14, R7',
    quote: 'a binding made after a rename must show the new name',
    says: 'A role binding made after a rename of its group shows the new name',
  },
  async ({ api, scratch, names, eventually }) => {
    const group = await scratch.makeGroup()
    await scratch.makeBinding(await scratch.makeIdentity(), group.uid)
    const { name } = await api.groups.update(group.uid, { name: names.fresh() })

    await eventually(async () => {
      const binding = await scratch.makeBinding(await scratch.makeIdentity(), group.uid)
      expect(binding.group, 'the embedded group').toMatchObject({ uid: group.uid, name })
    })
  },
)

requirement(
  {
    id: 'roleBinding.hydrated.live',
    level: 'should',
    statement: 'S2.14, R7',
    quote: 'an older binding that goes on showing the old name is a warning',
    says: 'An older role binding shows the new name of its renamed group',
  },
  async ({ api, scratch, names, eventually, present }) => {
    const [group, identity] = [await scratch.makeGroup(), await scratch.makeIdentity()]
    const binding = await scratch.makeBinding(identity, group.uid)
    await eventually(() => present(api.attempt.roleBindings.get(binding.uid)))
    const { name } = await api.groups.update(group.uid, { name: names.fresh() })

    await eventually(async () =>
      expect((await api.roleBindings.get(binding.uid)).group, 'the embedded group').toMatchObject({ name }),
    )
  },
)
