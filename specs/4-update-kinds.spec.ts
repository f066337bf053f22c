import { expect } from 'vitest'
import { describedKinds } from '../helpers/kinds.ts'
import { makeOne } from '../helpers/populations.ts'
import { refused } from '../helpers/refusal.ts'
import { requirementOnEach } from '../helpers/requirement.ts'
import { instant, same } from '../helpers/same.ts'
import { apart } from '../helpers/time.ts'
import { got, updated } from '../helpers/unprinted.ts'

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

      const described = await settled(() => updated(api, kind, before.uid, { description: 'changed' }))
      same(described, { ...before, description: 'changed' }, 'updateTime')
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
      refused(
        await api.attempt[kind].update(unissued, { description: 'for nobody' }),
        'Update of what never was',
      )
    },
)
