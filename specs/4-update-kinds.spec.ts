import { expect } from 'vitest'
import { instant } from '../helpers/api/instant.ts'
import { describedKinds } from '../helpers/api/kinds.ts'
import { got, updated } from '../helpers/arrange/optional-operations.ts'
import { makeOne } from '../helpers/arrange/populations.ts'
import { claimMatchFor } from '../helpers/arrange/scratch.ts'
import { same } from '../helpers/assertions/equal.ts'
import { refused } from '../helpers/assertions/refused.ts'
import { apart } from '../helpers/assertions/timestamps.ts'
import { requirement, requirementOnEach } from '../helpers/case/requirement.ts'
import { succeeded } from '../helpers/http/call.ts'

requirementOnEach(
  describedKinds,
  {
    id: 'update.keeps-omitted',
    level: 'must',
    statement: 'S4.26, S4.28, S1.2, R25, R49',
    says: 'Without a mask only the field in the body changes, and Update answers what Get then shows',
  },
  (kind) =>
    async ({ api, scratch, names, settled }) => {
      const before = await makeOne(scratch, kind, scratch.uid)
      const renamed = names.fresh()
      const description = 'changed, and told at some length '.repeat(5).trim()

      const described = await settled(() => updated(api, kind, before.uid, { description }))
      same(described, { ...before, description }, 'updateTime')
      await settled(async () => same(await got(api, kind, before.uid), described))

      const named = await updated(api, kind, before.uid, { name: renamed })
      same(named, { ...described, name: renamed }, 'updateTime')
      await settled(async () => same(await got(api, kind, before.uid), named))
    },
)

for (const [listed, ignored] of [
  ['name', 'description'],
  ['description', 'name'],
] as const) {
  requirementOnEach(
    describedKinds,
    {
      id: `update.mask.${listed}`,
      level: 'must',
      statement: 'S4.27, S1.2, R49',
      says: `With updateMask=${listed} only the ${listed} changes, whatever ${ignored} the body holds`,
    },
    (kind) =>
      async ({ api, scratch, names, settled }) => {
        const before = await makeOne(scratch, kind, scratch.uid)
        const body = { name: names.fresh(), description: 'changed' }

        await settled(() => updated(api, kind, before.uid, body, listed))

        await settled(async () =>
          same(await got(api, kind, before.uid), { ...before, [listed]: body[listed] }, 'updateTime'),
        )
      },
  )
}

requirementOnEach(
  describedKinds,
  {
    id: 'update.immutable',
    level: 'must',
    statement: 'S2.1, S2.4, S1.2, R5, R26, R49',
    says: 'uid and createTime never change, and updateTime moves on, whatever the body says',
  },
  (kind) =>
    async ({ api, scratch, settled }) => {
      const before = await makeOne(scratch, kind, scratch.uid)
      const chosen = { uid: `${scratch.uid}/00000000000000aa`, createTime: '2001-02-03T04:05:06.007Z' }
      await apart()

      await settled(() => updated(api, kind, before.uid, { description: 'changed' }))
      await api.attempt[kind].update(before.uid, { ...chosen, description: 'again' })

      await settled(async () => {
        const after = await got(api, kind, before.uid)
        expect(instant(after.createTime)).toBe(instant(before.createTime))
        expect(instant(after.updateTime) <= instant(before.updateTime)).toBe(false)
      })
      refused(await api.attempt[kind].get(chosen.uid), 'Get of the uid that the body asked for')
    },
)

requirementOnEach(
  describedKinds,
  {
    id: 'update.neighbours',
    level: 'must',
    statement: 'S4.26, S1.2, R49',
    says: 'Update changes what was named, and none of its kind in another group',
  },
  (kind) =>
    async ({ api, scratch, settled }) => {
      const named = await makeOne(scratch, kind, scratch.uid)
      const other = await makeOne(scratch, kind, (await scratch.makeGroup()).uid)

      await settled(() => updated(api, kind, named.uid, { description: 'changed' }))

      await settled(async () => same(await got(api, kind, other.uid), other, 'updateTime'))
    },
)

requirementOnEach(
  describedKinds,
  {
    id: 'update.missing',
    level: 'must',
    statement: 'S2.1, S1.2, R38, R49',
    says: 'Get and Update of what never was are refused',
  },
  (kind) =>
    async ({ api, scratch, run, settled }) => {
      const unissued = run.journal.lend(`${scratch.uid}/00000000000000af`)
      const made = await makeOne(scratch, kind, scratch.uid)
      await settled(() => got(api, kind, made.uid))
      await updated(api, kind, made.uid, { description: 'there is one' })

      refused(await api.attempt[kind].get(unissued), 'Get of what never was')
      refused(await api.attempt[kind].update(unissued, { description: 'for nobody' }), 'Update of what never was')
    },
)

requirement(
  {
    id: 'update.mask.clears@identities',
    level: 'must',
    statement: 'S4.27, S2.10, R6',
    says: 'An empty description that is taken under updateMask=description clears it (identities)',
    profile: 'identities',
  },
  async ({ api, scratch, settled, atLeast }) => {
    const { uid } = await scratch.makeIdentity()
    const call = { query: { updateMask: 'description' } }

    const answer = await api.attempt.identities.update(uid, { description: '' }, call)
    // an identity may need one: the contract calls that of groups alone optional
    atLeast(1, 'Updates that were taken', succeeded(answer) ? 1 : 0)

    await settled(async () => expect((await got(api, 'identities', uid)).description ?? '').toBe(''))
  },
)

requirement(
  {
    id: 'update.concurrent@identities',
    level: 'must',
    statement: 'S4.26, R31',
    says: 'Two Updates of different fields at the same moment, both answered 2xx, both hold (identities)',
    profile: 'identities',
  },
  async ({ api, scratch, names, settled }) => {
    const made = await Promise.all(Array.from({ length: 8 }, () => scratch.makeIdentity()))
    await updated(api, 'identities', made[0]!.uid, { description: 'may be updated' })

    const held = made.map(async ({ uid }) => {
      const bodies = [{ name: names.fresh() }, { description: `for ${uid.slice(-6)}` }]
      const answers = await Promise.all(bodies.map((body) => api.attempt.identities.update(uid, body)))
      const taken = bodies.filter((_, index) => succeeded(answers[index]!))
      await settled(async () => expect(await got(api, 'identities', uid)).toMatchObject(Object.assign({}, ...taken)))
    })
    await Promise.all(held)
  },
)

requirement(
  {
    id: 'identity.claim-match.stays',
    level: 'must',
    statement: 'S4.26, S2.11, R6',
    says: 'A claim match that an Update set stays through the Updates of other fields that follow',
    profile: 'identities',
  },
  async ({ api, scratch, names, settled, atLeast }) => {
    const { uid } = await scratch.makeIdentity()
    const claimMatch = claimMatchFor(names.fresh())
    const answer = await api.attempt.identities.update(uid, { claimMatch })
    const shown = succeeded(answer) && JSON.stringify(answer.json)
    const changed = shown ? shown.includes(JSON.stringify(claimMatch.subject)) : false
    atLeast(1, 'claim matches that an Update changed', changed ? 1 : 0)

    for (const change of [{ name: names.fresh() }, { description: 'changed' }, { name: names.fresh() }])
      await settled(() => updated(api, 'identities', uid, change))

    await settled(async () => expect((await got(api, 'identities', uid)).claimMatch).toMatchObject(claimMatch))
  },
)

requirement(
  {
    id: 'identity.last-seen.stays',
    level: 'must',
    statement: 'S2.12, S4.26, R55',
    says: 'An Update of an identity does not set lastSeenTime back',
    profile: 'identities',
  },
  async ({ api, scratch, settled }) => {
    const { uid, lastSeenTime } = await scratch.makeIdentity()

    await settled(() => updated(api, 'identities', uid, { description: 'changed' }))

    await settled(async () => {
      const after = await got(api, 'identities', uid)
      expect(instant(after.lastSeenTime)).toBeGreaterThanOrEqual(instant(lastSeenTime))
    })
  },
)
