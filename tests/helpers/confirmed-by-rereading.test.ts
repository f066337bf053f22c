import { expect, test } from 'vitest'
import {
  confirmByRereading,
  judgeBesideStrangers,
  type Strangers,
} from '../../helpers/arrange/confirmed-by-rereading.ts'
import type { Population } from '../../helpers/arrange/population.ts'
import { Stopped } from '../../helpers/http/case-errors.ts'

const roles = (...uids: string[]): Population => ({
  kind: 'roles',
  scope: {},
  items: uids.map((uid) => ({ uid })),
})

/** The target's own things, as each look in turn shows them; the last look stays. */
function strangers(...looks: string[][]): Strangers {
  let looked = 0
  return {
    now: async () => looks[Math.min(looked++, looks.length - 1)]!,
    patience: () => (looks.length > 1 ? 30 : 0),
    noteArrival: () => {},
  }
}

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

test('what shows twice while others write cannot be decided', async () => {
  const everOther = Array.from({ length: 32 }, (_, index) => roles('bad', `new ${index}`))
  expect(await judged(roles('bad'), ...everOther)).toBe('Inconclusive')
})

test('what holds as soon as others let it be is right', async () => {
  const others = [roles('bad', 'x'), roles('bad', 'y'), roles('bad', 'z')]
  expect(await judged(roles('bad'), ...others, roles('a'))).toBe('holds')
})

test('an item that was gone and comes back was never taken away by others', async () => {
  expect(await judged(roles('bad'), roles('bad', 'x'), roles('bad'), roles('bad', 'x'))).toBe('AssertionError')
})

test('an item that is back on the first page may have been on the second', async () => {
  const page = (...uids: string[]) => ({ ...roles(...uids), isPart: true })
  const readings = [page('bad', 'x'), page('bad'), page('bad', 'x')]
  expect(await judged(page('bad'), ...readings, page('a'))).toBe('holds')
  // the first page was whole until others made more
  expect(await judged(roles('bad'), roles('bad', 'x'), page('bad'), roles('bad', 'x'), roles('a'))).toBe('holds')
})

test('what the target itself put there and takes away again is not missed', async () => {
  const population = { ...roles('own', 'stranger'), strangers: ['stranger'] }
  const judge = async ({ items }: Population) => expect(items).toHaveLength(1)

  await judgeBesideStrangers(population, (uid) => uid === 'own', strangers([]), judge)

  expect(population.items).toEqual([{ uid: 'own' }])
})

/** A list whose skip is beyond the end is refused where a stranger has gone meanwhile (R20). */
const skipsToTheLast = (left: number) => async (population: Population) => {
  if (population.items.length > left)
    throw new Stopped({ operation: 'identity.list', phase: 'act', why: 'was answered 500', status: 500 })
}

test('a refusal is judged again where what the target itself put there has gone', async () => {
  const population = { ...roles('own', 'stranger'), strangers: ['stranger'] }
  const isOwn = (uid: string) => uid === 'own'

  await judgeBesideStrangers(population, isOwn, strangers([]), skipsToTheLast(1))
  await expect(judgeBesideStrangers(population, isOwn, strangers([]), skipsToTheLast(0))).rejects.toThrow('500')
})

test('a refusal is judged again where others removed what they had made', async () => {
  const [both, one] = [roles('a', 'b'), roles('a')]
  const refused = (left: number, again: () => Promise<Population>) =>
    confirmByRereading(both, again, skipsToTheLast(left))

  await refused(1, async () => one)
  await expect(refused(0, async () => one)).rejects.toThrow('500')
  await expect(refused(1, () => Promise.reject(new Error('cannot be read')))).rejects.toThrow('500')
})

test('what of the run is gone is missed, whatever the target put beside it', async () => {
  const population = { ...roles('own', 'bad'), strangers: ['stranger'] }
  const judge = async ({ items }: Population) => expect(items.map(({ uid }) => uid)).not.toContain('bad')
  const isOwn = () => true

  await expect(judgeBesideStrangers(population, isOwn, strangers(['stranger']), judge)).rejects.toThrow('bad')
})

test('a list that lags behind what the target put there is judged again when that is old', async () => {
  const population: Population = { ...roles('own'), strangers: [] }
  const judge = async () => expect('bad').toBe('good')
  const arrivals: number[] = []

  const verdict = judgeBesideStrangers(
    population,
    () => true,
    { ...strangers(['stranger']), noteArrival: (at) => void arrivals.push(at) },
    judge,
  )

  await expect(verdict).rejects.toThrow('bad')
  expect(new Set(arrivals)).toEqual(new Set([population.arrivedAt]))
  expect(arrivals).toHaveLength(2)
})

test('what is back whenever it is looked at has moved all the same', async () => {
  const population: Population = { ...roles('own', 'guest'), strangers: ['guest'] }
  let judged = 0
  const judge = async () => expect(judged++).toBeGreaterThan(1)
  const isOwn = (uid: string) => uid === 'own'

  await judgeBesideStrangers(population, isOwn, strangers(['guest'], ['guest'], [], []), judge)
})

test('a mismatch beside what has stayed still for a while counts', async () => {
  const population: Population = { ...roles('own'), strangers: ['guest'] }
  const judge = async () => expect('bad').toBe('good')

  const verdict = judgeBesideStrangers(population, () => true, strangers(['guest'], ['guest']), judge)
  await expect(verdict).rejects.toThrow('bad')
})
