import { randomBytes } from 'node:crypto'
import { join } from 'node:path'
import { expect } from 'vitest'
import type { Api } from '../../helpers/api/api.ts'
import { claimMatchFor } from '../../helpers/arrange/scratch.ts'
import { Refusal } from '../../reference/domain/refusal.ts'
import { on, type Replacement } from '../../reference/replace.ts'
import { variantNamed } from '../../reference/variants.ts'
import { ended, start } from '../support/runs/child.ts'
import { rootName, sweep, writeJournal } from '../support/runs/closing.ts'
import { aRun, folder } from '../support/runs/own-run.ts'
import { configFor, test } from '../support/runs/servers.ts'

const done = { left: [], refused: [], sure: true, requests: expect.any(Number) }

const identityIn = (api: Api, group: string, name: string) =>
  api.identities.create(group, { name, description: name, claimMatch: claimMatchFor(name) })

async function bindingIn(api: Api, group: string, identityUid: string) {
  const roleUid = (await api.roles.list({})).items[0]!.uid
  return api.roleBindings.create(group, { identityUid, roleUid })
}

test.concurrent('what is deleted, and blocks its group for a while, is waited for', async ({ closing }) => {
  const { api, root, path, before, everything, config } = await aRun(
    closing,
    variantNamed('a list shows everything 300 ms late').rules,
  )
  let home = root.uid
  for (const name of ['one', 'two', 'three', 'four']) home = (await api.groups.create(home, { name })).uid
  await bindingIn(api, home, (await identityIn(api, home, 'own')).uid)

  expect(await sweep(config, path)).toEqual(done)
  expect(everything()).toEqual(before)
})

test.concurrent('everything goes, at every depth, what others put in there included', async ({ closing }) => {
  const { api, foreign, root, path, before, everything, config } = await aRun(closing)
  const child = await api.groups.create(root.uid, { name: 'child' })
  const deep = await api.groups.create(child.uid, { name: 'deep' })
  const identity = await identityIn(api, deep.uid, 'own')
  await bindingIn(api, root.uid, identity.uid)
  const theirs = await foreign.groups.create(deep.uid, { name: 'theirs' })
  await bindingIn(foreign, theirs.uid, (await identityIn(foreign, theirs.uid, 'a creator')).uid)
  await Promise.all(Array.from({ length: 60 }, (_, index) => api.groups.create(child.uid, { name: `more ${index}` })))

  expect(await sweep(config, path)).toEqual(done)
  expect(everything()).toEqual(before)
})

test.concurrent('a role binding that was given another identity goes, whatever its uid shows', async ({ closing }) => {
  const { api, root, path, before, everything, config } = await aRun(
    closing,
    together(
      variantNamed('identities and bindings have uids without a path').rules,
      variantNamed('an identity that is bound cannot be deleted').rules,
    ),
  )
  const [first, second] = [await identityIn(api, root.uid, 'first'), await identityIn(api, root.uid, 'second')]
  const binding = await bindingIn(api, root.uid, first.uid)
  await api.roleBindings.update(binding.uid, { identityUid: second.uid })

  expect(await sweep(config, path)).toEqual(done)
  expect(everything()).toEqual(before)
})

const customRoles = variantNamed('roles can be made, changed and deleted').rules

test.concurrent('roles of the run go, even without its group, and those of others stay', async ({ closing }) => {
  const { api, foreign, root, path, config } = await aRun(closing, customRoles)
  const own = await api.roles.create(root.uid, { name: 'own' })
  const theirs = await foreign.roles.create(root.uid, { name: 'theirs' })
  await api.groups.delete(root.uid)
  expect(await sweep(config, path)).toEqual(done)
  const uids = (await foreign.roles.list({ page_size: 200 })).items.map(({ uid }) => uid)
  expect(uids).toContain(theirs.uid)
  expect(uids).not.toContain(own.uid)
})

test.concurrent('a role that cannot be deleted is named as left behind', async ({ closing }) => {
  const { api, root, path, config } = await aRun(closing, together(customRoles, on('roles', { forget: () => {} })))
  const own = await api.roles.create(root.uid, { name: 'own' })

  const { left, sure } = await sweep(config, path)

  expect(left).toContain(`${own.uid} (the role 'own')`)
  expect(sure).toBe(false)
})

const opaque: Replacement = on('identities', { mintUid: () => randomBytes(10).toString('hex') })

const scopeIgnored: Replacement = on('identities', {
  candidates: ({ world }) => world.store.all('identities'),
  withinScope: () => true,
})

const unknownScopeRefused: Replacement = (contract) => ({
  objection: (uid, at) =>
    at.operation === 'list' && at.world.store.get('groups', uid) === undefined
      ? new Refusal('missing', 'scope', 'no such group')
      : contract.objection(uid, at),
})

const together =
  (...all: Replacement[]): Replacement =>
  (contract) =>
    Object.assign({}, ...all.map((rules) => rules(contract)))

test.concurrent.for([
  ['drops the scope', together(scopeIgnored)],
  ['drops the scope and has opaque uids', together(opaque, scopeIgnored)],
  ['drops the scope, but refuses unknown ones', together(opaque, scopeIgnored, unknownScopeRefused)],
] as [string, Replacement][])(
  'nothing outside is touched where a list of identities %s',
  async ([, rules], { closing }) => {
    const { api, foreign, root, path, everything, config, groupUid } = await aRun(closing, rules)
    const stranger = await identityIn(foreign, groupUid, 'a stranger')
    const own = await identityIn(api, root.uid, 'own')

    expect(everything()).toEqual(expect.arrayContaining([stranger.uid, own.uid]))
    expect(await sweep(config, path)).toEqual(done)
    expect(everything()).toContain(stranger.uid)
    expect(everything()).not.toContain(own.uid)
    expect(everything()).not.toContain(root.uid)
  },
)

test.concurrent.for([
  ['unknown scopes are empty', opaque],
  ['unknown scopes are refused', together(opaque, unknownScopeRefused)],
] as [string, Replacement][])(
  'what others put in there goes though no uid shows its place, where %s',
  async ([, rules], { closing }) => {
    const { foreign, root, path, before, everything, config } = await aRun(closing, rules)
    await identityIn(foreign, root.uid, 'a guest')

    expect(await sweep(config, path)).toEqual(done)
    expect(everything()).toEqual(before)
  },
)

test.concurrent('a root whose answer was lost is found by its name', async ({ closing }) => {
  const { foreign, path, everything, config, groupUid } = await aRun(closing)
  const lost = await foreign.groups.create(groupUid, { name: 'lost' })
  const other = await foreign.groups.create(groupUid, { name: 'lost and found' })
  writeJournal(path, config, [{ kind: 'groups', parent: groupUid, name: 'lost', root: true }])

  expect(await sweep(config, path)).toEqual(done)
  expect(everything()).not.toContain(lost.uid)
  expect(everything()).toContain(other.uid)
})

test.concurrent('what cannot be deleted is reported', async ({ closing }) => {
  const { root, path, config } = await aRun(closing, () => ({ forget: () => {} }))

  expect(await sweep(config, path)).toMatchObject({ left: [root.uid], sure: false })
})

test.concurrent('where a Get is refused to all, the list shows what is left', async ({ calling }) => {
  const root = { uid: 'aa/bb', name: 'the run' }
  const path = join(folder, 'refused.jsonl')
  const { log: _, ...caller } = await calling(({ url = '' }, response) => {
    const isList = url.includes('?')
    response.writeHead(isList ? 200 : 403).end(JSON.stringify(isList ? { groups: [root] } : {}))
  })
  const { request } = (await caller.get()).exchange

  const config = configFor(new URL(request.url).origin, { groupUid: 'aa' })
  writeJournal(path, config, [{ kind: 'groups', parent: 'aa', root: true, ...root }])

  expect(await sweep(config, path)).toMatchObject({ left: ['aa/bb'], sure: false })
})

test.concurrent('a target that is gone, or no longer takes the token, leaves everything', async ({ closing }) => {
  const { root, path, config } = await aRun(closing)
  const locked = { ...config, credentials: { accessToken: 'another-token' } }
  const gone = { ...config, target: { ...config.target, baseUrl: 'http://127.0.0.1:9' } }

  expect(await sweep(locked, path)).toMatchObject({ left: [expect.stringContaining(root.uid)], sure: false })
  const elsewhere = join(folder, 'gone.jsonl')
  writeJournal(elsewhere, gone, [{ kind: 'groups', parent: config.target.groupUid, root: true, uid: root.uid }])
  expect(await sweep(gone, elsewhere)).toMatchObject({ left: [expect.stringContaining(root.uid)], sure: false })
})

test.concurrent('a root whose name the server altered is found by its uid', async ({ closing }) => {
  const { foreign, path, everything, config, groupUid } = await aRun(closing)
  const altered = await foreign.groups.create(groupUid, { name: `the-${rootName}.x` })
  const entry = { kind: 'groups', parent: groupUid, name: rootName, root: true }
  writeJournal(path, config, [entry, { ...entry, uid: altered.uid, shown: altered.name }])

  expect(await sweep(config, path)).toEqual(done)
  expect(everything()).not.toContain(altered.uid)
})

test.concurrent('without a journal a group goes once somebody confirms it, and no other group does', async ({
  closing,
}) => {
  const { api, root, foreign, everything, config, groupUid } = await aRun(closing)
  await api.groups.create(root.uid, { name: 'child' })
  const stranger = await foreign.groups.create(groupUid, { name: 'rmapiconformance' })
  const [there, { target, credentials }] = [everything(), config]
  const settings = {
    RMAPI_BASE_URL: target.baseUrl,
    RMAPI_GROUP_UID: groupUid,
    RMAPI_ACCESS_TOKEN: 'accessToken' in credentials ? credentials.accessToken : '',
  }
  const swept = (flags: string[], input?: string) =>
    ended(start(folder, ['sweep', '--older-than', '1ms', ...flags], settings, input))

  expect(await swept([], 'no\n')).toMatchObject({ code: 5, last: 'Nothing was deleted.' })
  expect(everything()).toEqual(there)
  expect(await swept([])).toMatchObject({ code: 5 })
  expect(await swept(['--yes'])).toMatchObject({ code: 0, last: 'Deleted 1 with everything in them.' })
  expect(everything()).toContain(stranger.uid)
  expect(everything()).not.toContain(root.uid)
})
