import { setTimeout as sleep } from 'node:timers/promises'
import { describe, expect, test } from 'vitest'
import { eventuallyWithin } from '../../helpers/arrange/eventually.ts'
import { violated } from '../../helpers/assertions/violation.ts'
import { Inconclusive, NotOffered, Stopped } from '../../helpers/http/case-errors.ts'
import { Lateness } from '../../helpers/invariants/lateness.ts'

const absent = () => violated({ message: 'it is not there', expected: 'it', got: 'nothing' })
const stopped = (status?: number) => () => {
  throw new Stopped({ operation: 'group.get', phase: 'act', why: 'is refused', ...(status ? { status } : {}) })
}
const missing = () => {
  throw new NotOffered('group.get', { status: 404 })
}

/** Judges again and again; fails so many times first. */
function failing(times: number, error: () => never) {
  let tries = 0
  const judge = async () => (++tries <= times ? error() : `held at try ${tries}`)
  return { judge, tries: () => tries }
}

const within = (patience: number) => eventuallyWithin(patience, new Lateness())

describe.concurrent('eventually', () => {
  test('what fits at once is read once', async () => {
    const { judge, tries } = failing(0, absent)

    expect(await within(1_000)(judge)).toBe('held at try 1')
    expect(tries()).toBe(1)
  })

  test.for([
    ['a claim', absent],
    ['a call that was refused as if nothing were there', stopped(404)],
    ['an operation that seems to be missing', missing],
  ] as [string, () => never][])('%s is judged again until it holds', async ([, error]) => {
    expect(await within(1_000)(failing(3, error).judge)).toBe('held at try 4')
  })

  test.for([
    ['a bug of ours', () => Promise.reject(new TypeError('ours'))],
    ['what cannot be decided', () => Promise.reject(new Inconclusive('busy'))],
    ['a fault of the server', stopped(500)],
    ['no answer', stopped()],
    [
      'an operation that says itself that it is not there',
      () => {
        throw new NotOffered('group.get', { status: 501 })
      },
    ],
  ] as [string, () => never][])('%s is not', async ([, error]) => {
    const { judge, tries } = failing(3, error)

    await expect(within(1_000)(judge)).rejects.toThrow()
    expect(tries()).toBe(1)
  })

  test('what never fits fails as it did last, when its time is over', async () => {
    const started = performance.now()
    const { judge, tries } = failing(Number.POSITIVE_INFINITY, absent)

    await expect(within(600)(judge)).rejects.toThrow('it is not there')
    expect(performance.now() - started).toBeGreaterThanOrEqual(600)
    expect(tries()).toBeGreaterThan(4)
    expect(tries()).toBeLessThan(12)
  })

  test('a reading that took longer than the patience is judged again', async () => {
    const { judge, tries } = failing(1, absent)
    const slowly = async () => {
      if (tries() === 0) await sleep(120)
      return judge()
    }

    expect(await within(100)(slowly)).toBe('held at try 2')
  })
})
