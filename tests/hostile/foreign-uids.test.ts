import { randomBytes } from 'node:crypto'
import { afterAll, expect, test } from 'vitest'
import { when } from '../../reference/replace.ts'
import { runSuite } from '../support/runs/built.ts'
import { type Passing, watched } from './proxy.ts'

const opened: (() => void)[] = []
afterAll(() => {
  for (const close of opened) close()
})

type Neighbour = Parameters<Parameters<typeof watched>[0]>[1]
type Alter = (passing: Passing, neighbour: Neighbour) => string | undefined

/** Replaces the uid of whatever a create of one kind answers; the name stays as it was sent. */
const answering = (plural: string, foreign: (neighbour: Neighbour, passing: Passing) => string, from = 0): Alter => {
  let creates = 0
  return (passing, neighbour) => {
    const { method, path, status, body } = passing
    if (method !== 'POST' || status > 299 || !path.includes(`/${plural}/`) || creates++ < from) return undefined
    return JSON.stringify({ ...JSON.parse(body), uid: foreign(neighbour, passing) })
  }
}

/** Lists what the neighbour owns wherever something is listed. */
const listing: Alter = ({ method, path, body, status }, { identity, binding }) => {
  const plural = /\/(identities|roleBindings)\?/.exec(path)?.[1]
  if (method !== 'GET' || status > 299 || plural === undefined) return undefined
  const page = JSON.parse(body)
  const uid = plural === 'identities' ? identity : binding
  const scope = decodeURIComponent(/uidp\.\w+=([^&]+)/.exec(path)?.[1] ?? '')
  return JSON.stringify({ ...page, [plural]: [...(page[plural] ?? []), { uid, name: 'x', group: { uid: scope } }] })
}

/** Creates that show no uid of the run's own group, and lists that show it with another's. */
const listedAs =
  (foreign: (neighbour: Neighbour) => string): Alter =>
  ({ method, path, status, body }, neighbour) => {
    if (status > 299 || !/\/groups[/?]/.test(path)) return undefined
    const json = JSON.parse(body)
    const isRoot = ({ name = '' }: { name?: string }) => name.startsWith('rmapiconformance')
    if (method === 'POST' && isRoot(json)) return JSON.stringify({ ...json, uid: undefined })
    if (!Array.isArray(json.groups)) return undefined
    const groups = json.groups.map((item: object) => (isRoot(item) ? { ...item, uid: foreign(neighbour) } : item))
    return JSON.stringify({ ...json, groups })
  }

const opaque = when(({ kind }) => kind === 'identities' || kind === 'roleBindings', {
  mintUid: () => randomBytes(10).toString('hex'),
})
const some = ['group.create.answers', 'group.delete.*s', '*.answers', 'auth.required.delete']

test.concurrent.for<[string, Alter, string | undefined, typeof opaque?]>([
  [
    "the uid of the neighbour's group for every group",
    answering('groups', ({ group }) => group),
    'group.create.answers',
  ],
  [
    "the uid of the neighbour's group from the second group on",
    answering('groups', ({ group }) => group, 4),
    undefined,
  ],
  [
    "the operator's own group",
    answering('groups', ({ group }) => group.replace(/\/[^/]+$/, '')),
    'group.create.answers',
  ],
  [
    'a path with dots to the neighbour',
    answering('groups', ({ child }, { path }) => `${path.split('/groups/')[1]}/../${child.split('/').at(-2)}`, 4),
    undefined,
  ],
  [
    'a path with encoded slashes',
    answering('groups', ({ child }, { path }) => `${path.split('/groups/')[1]}%2F..%2F${child.split('/').at(-2)}`, 4),
    undefined,
  ],
  ["the uid of the neighbour's identity", answering('identities', ({ identity }) => identity), undefined],
  ["the uid of the neighbour's binding", answering('roleBindings', ({ binding }) => binding), undefined],
  [
    "the opaque uid of the neighbour's identity",
    answering('identities', ({ identity }) => identity),
    'identity.create.answers',
    opaque,
  ],
  ["the opaque uid of the neighbour's binding", answering('roleBindings', ({ binding }) => binding), undefined, opaque],
  [
    "the operator's own group, in lists alone",
    listedAs(({ group }) => group.replace(/\/[^/]+$/, '')),
    'group.create.answers',
  ],
  ["the neighbour's group by the name of the run's, in lists alone", listedAs(({ group }) => group), undefined],
  ["lists with the neighbour's things in them", listing, undefined],
  ["lists with the neighbour's things in them, by opaque uids", listing, undefined, opaque],
])('a target that answers %s: nothing of the neighbour is written or deleted', async ([, alter, red, rules]) => {
  const target = await watched(alter, rules)
  opened.push(target.close)
  const before = target.neighbourNow()
  const there = [target.neighbour.group, target.neighbour.identity, target.neighbour.binding]

  const { report } = await runSuite({ values: target.values, selection: { only: some, skip: [], profiles: [] } })

  expect(target.neighbourNow()).toBe(before)
  const touched = target.writes.filter(
    (write) => there.some((uid) => decodeURIComponent(write).includes(uid)) || /\.\.|%2f/i.test(write),
  )
  expect(touched).toEqual([])
  expect(target.writes).not.toContainEqual(
    expect.stringMatching(new RegExp(`DELETE .*/${target.values.RMAPI_GROUP_UID}$`)),
  )
  if (red !== undefined)
    expect(report.requirements.find(({ id }) => id === red)).toMatchObject({ outcome: 'fail', level: 'must' })
})
