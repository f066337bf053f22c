import { expect, test } from 'vitest'
import { confirmByRereading } from '../../helpers/arrange/confirmed-by-rereading.ts'
import type { Population } from '../../helpers/arrange/population.ts'

const roles = (...uids: string[]): Population => ({
  kind: 'roles',
  scope: {},
  items: uids.map((uid) => ({ uid })),
})

/** Judges readings in turn; what has `bad` in it does not hold. */
async function judged(...readings: Population[]): Promise<string> {
  const [first, ...later] = readings
  const judge = async ({ items }: Population) => {
    expect(items.map(({ uid }) => uid)).not.toContain('bad')
  }
  try {
    await confirmByRereading(first!, async () => later.shift()!, judge)
    return 'holds'
  } catch (error) {
    return (error as Error).name
  }
}

test('what holds is read once', async () => {
  expect(await judged(roles('a', 'b'))).toBe('holds')
})

test('what holds in the second reading was changed by others', async () => {
  expect(await judged(roles('a', 'bad'), roles('a', 'b'))).toBe('holds')
})

test('what shows twice while nothing changes is a failure', async () => {
  expect(await judged(roles('a', 'bad'), roles('a', 'bad'), roles('bad', 'a'))).toBe('AssertionError')
})

test('what shows twice while others write cannot be told', async () => {
  expect(await judged(roles('bad'), roles('bad'), roles('bad', 'new'), roles('bad'))).toBe('Inconclusive')
  expect(await judged(roles('bad'), roles('bad', 'old'), roles('bad'), roles('bad'))).toBe('Inconclusive')
})

test('an item that was gone and comes back was never taken away by others', async () => {
  expect(await judged(roles('bad'), roles('bad', 'x'), roles('bad'), roles('bad', 'x'))).toBe('AssertionError')
})
