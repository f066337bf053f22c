import { setTimeout as sleep } from 'node:timers/promises'
import { describe, expect, test } from 'vitest'
import { eventuallyWithin, measureLag } from '../../helpers/arrange/eventually.ts'
import { violated } from '../../helpers/assertions/violation.ts'
import { Inconclusive, Stopped } from '../../helpers/http/case-errors.ts'

/** Shows what was made only when so many milliseconds have passed since the first reading. */
function lagging(ms: number) {
  let since: number | undefined
  let readings = 0
  const shows = async () => {
    readings++
    since ??= performance.now()
    return performance.now() - since >= ms
  }
  return { shows, readings: () => readings }
}

const absent = () => violated({ message: 'it is not there', expected: 'it', got: 'nothing' })

describe.concurrent('measureLag', () => {
  test('is zero where the first reading shows it', async () => {
    const { shows, readings } = lagging(0)

    expect(await measureLag(async () => shows)).toBe(0)
    expect(readings()).toBe(1)
  })

  test('is as long as it takes', async () => {
    const lag = await measureLag(async () => lagging(200).shows)

    expect(lag).toBeGreaterThanOrEqual(200)
    expect(lag).toBeLessThan(4_000)
  })

  test('is zero where nothing ever shows it, and does not wait for ever', async () => {
    const { shows, readings } = lagging(Number.POSITIVE_INFINITY)

    expect(await measureLag(async () => shows)).toBe(0)
    expect(readings()).toBeGreaterThan(10)
  })

  /** Shows each thing so long after it was made, and answers the first readings late. */
  function answering(delays: number[], lag: number) {
    let made = 0
    const make = async () => {
      made++
      const since = performance.now()
      return async () => {
        await sleep(delays.shift() ?? 0)
        return performance.now() - since >= lag
      }
    }
    return { make, made: () => made }
  }

  test('is not taken for zero because one answer came late', async () => {
    const { make, made } = answering([300], 200)

    expect(await measureLag(make)).toBeGreaterThanOrEqual(200)
    expect(made()).toBe(2)
  })

  test('is zero where every answer comes late, and is asked for three times', async () => {
    const { make, made } = answering([300, 300, 300, 300], 200)

    expect(await measureLag(make)).toBe(0)
    expect(made()).toBe(3)
  })

  test('is zero where an answer came late and nothing more can be made', async () => {
    const { make, made } = answering([300], 200)
    const once = async () => (made() === 0 ? make() : Promise.reject(new Inconclusive('full')))

    expect(await measureLag(once)).toBe(0)
  })

  test('lets an error through', async () => {
    const busy = async () => Promise.reject(new Inconclusive('busy'))

    await expect(measureLag(async () => busy)).rejects.toThrow('busy')
    await expect(measureLag(busy)).rejects.toThrow('busy')
  })
})

describe.concurrent('settledWithin', () => {
  /** Judges again and again; fails so many times first. */
  function failing(times: number, error: () => never) {
    let tries = 0
    const judge = async () => (++tries <= times ? error() : `held at try ${tries}`)
    return { judge, tries: () => tries }
  }

  test('gives what the judge gives', async () => {
    expect(await eventuallyWithin(0)(() => 'at once')).toBe('at once')
  })

  test('without a lag nothing is judged twice', async () => {
    const { judge, tries } = failing(1, absent)

    await expect(eventuallyWithin(0)(judge)).rejects.toThrow('it is not there')
    expect(tries()).toBe(1)
  })

  test.for([
    ['a claim', absent],
    [
      'a call that was stopped',
      () => {
        throw new Stopped({ operation: 'group.get', phase: 'act', why: 'was answered 404', status: 404 })
      },
    ],
  ] as [string, () => never][])('with a lag %s is judged again until it holds', async ([, error]) => {
    const { judge } = failing(3, error)

    expect(await eventuallyWithin(100)(judge)).toBe('held at try 4')
  })

  test('a reading that took longer than the patience is judged again', async () => {
    const { judge, tries } = failing(1, absent)
    const slowly = async () => {
      if (tries() === 0) await sleep(2_100)
      return judge()
    }

    expect(await eventuallyWithin(1)(slowly)).toBe('held at try 2')
  })

  test('a bug of ours, and what cannot be told, are not', async () => {
    for (const error of [new TypeError('ours'), new Inconclusive('busy')]) {
      const { judge, tries } = failing(3, () => {
        throw error
      })

      await expect(eventuallyWithin(100)(judge)).rejects.toBe(error)
      expect(tries()).toBe(1)
    }
  })

  test.for([
    [1, 2_000],
    [250, 2_500],
  ] as const)('with a lag of %i ms it is patient for %i ms', async ([lag, patience]) => {
    const started = performance.now()
    const { judge, tries } = failing(Number.POSITIVE_INFINITY, absent)

    await expect(eventuallyWithin(lag)(judge)).rejects.toThrow('it is not there')

    expect(performance.now() - started).toBeGreaterThanOrEqual(patience)
    expect(tries()).toBeGreaterThan(5)
  })
})
