import { expect, test } from 'vitest'
import type { Api } from '../../helpers/api/api.ts'
import { Names } from '../../helpers/api/names.ts'
import { OverflowGroups } from '../../helpers/arrange/overflow-groups.ts'
import { Inconclusive } from '../../helpers/http/case-errors.ts'

/** A target where a group holds so many groups, and no more. */
function holding(most: number) {
  const held = new Map<string, number>()
  return async (parent: string) => {
    const count = held.get(parent) ?? 0
    if (count >= most) throw new Inconclusive('too many groups here')
    held.set(parent, count + 1)
    return { uid: `${parent}/${count}` }
  }
}

test('spare groups that are all full at the same time are replaced by new ones', async () => {
  const create = holding(20)
  const api = { groups: { create } } as unknown as Api
  const context = { api, names: new Names() }
  const overflow = await OverflowGroups.beside('run', { ...context, eventually: async (look) => look() })
  const made = await Promise.allSettled(Array.from({ length: 600 }, () => overflow.orElsewhere('run', create, context)))

  expect(made.filter(({ status }) => status === 'rejected')).toEqual([])
})
