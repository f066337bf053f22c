import { setTimeout as sleep } from 'node:timers/promises'
import { describe, expect } from 'vitest'
import { Throttle } from '../../helpers/http/pace/throttle.ts'
import { test } from '../support/runs/servers.ts'

describe.concurrent('the throttle', () => {
  test('a rate limit spaces the calls', async ({ calling }) => {
    const { get } = await calling((_, response) => response.end('{}'), { rateLimit: 20 })

    const started = performance.now()
    await Promise.all(Array.from({ length: 9 }, () => get()))

    expect(performance.now() - started).toBeGreaterThan(350)
  })

  test('no more calls are under way than may be', async ({ calling }) => {
    let most = 0
    // none is answered before there are three: with fewer under way this would never end
    const waiting: (() => void)[] = []
    const answerAll = () => {
      for (const answer of waiting.splice(0)) answer()
    }
    const { get } = await calling(
      (_, response) => {
        most = Math.max(
          most,
          waiting.push(() => response.end('{}')),
        )
        if (waiting.length === 3) setTimeout(answerAll, 2)
      },
      { concurrency: 3 },
    )

    await Promise.all(Array.from({ length: 21 }, () => get()))

    expect(most).toBe(3)
  })

  test.for([
    ['seconds', () => 1],
    ['a moment in seconds', () => Date.now() / 1000 + 1],
    ['a moment in milliseconds', () => Date.now() + 1000],
  ] as [string, () => number][])('a limit that is reset after %s spaces the calls', async ([, reset]) => {
    const throttle = new Throttle(1, 'auto')
    throttle.heard({ 'x-ratelimit-remaining': '20', 'x-ratelimit-reset': String(Math.ceil(reset())) })
    const started = performance.now()

    for (let calls = 0; calls < 4; calls++) await throttle.pass(async () => {})

    expect(performance.now() - started).toBeLessThan(1_500)
  })

  test('refusals of calls that were sent together count together, however far apart they come', async () => {
    const throttle = new Throttle(32)
    let [under, most] = [0, 0]
    const refuse = async (at: number) => {
      await throttle.pass(() => sleep(3 * at))
      throttle.pause(0)
    }
    await Promise.all([...Array(32).keys()].map(refuse))

    const take = async () => {
      most = Math.max(most, ++under)
      await sleep(2)
      under--
    }
    await Promise.all(Array.from({ length: 64 }, () => throttle.pass(take)))

    expect(most).toBeLessThanOrEqual(8)

    // a quota was reached, and no rate
    throttle.restart()
    await Promise.all(Array.from({ length: 64 }, () => throttle.pass(take)))

    expect(most).toBe(32)
  })

  test('after a burst of refusals more go at once again, about as many as are taken', async () => {
    const throttle = new Throttle(32)
    const taken = 12
    let [under, most, pauses] = [0, 0, 0]
    const call = async () => {
      const isRefused = await throttle.pass(async () => {
        most = Math.max(most, ++under)
        const isTooMany = under > taken
        await sleep(1)
        under--
        return isTooMany
      })
      if (isRefused && throttle.pause(1)) pauses++
    }

    await Promise.all(Array.from({ length: 2_500 }, call))
    most = pauses = 0
    await Promise.all(Array.from({ length: 500 }, call))

    expect(most).toBeOneOf([taken, taken + 1])
    expect(pauses).toBeLessThan(4)
  })

  test('after a refusal the calls go out more slowly than they were taken', async () => {
    const throttle = new Throttle(4)
    const timed = async () => {
      const started = performance.now()
      await Promise.all(Array.from({ length: 100 }, () => throttle.pass(() => sleep(5))))
      return performance.now() - started
    }

    const before = await timed()
    throttle.pause(1)

    expect(await timed()).toBeGreaterThan(1.2 * before)
  })

  test('what a run waits for has its turn before what only waits', async () => {
    const throttle = new Throttle(1)
    const order: string[] = []
    const call = (name: string, urgency?: 'urgent' | 'usual') =>
      throttle.pass(async () => void order.push(name), urgency)

    await Promise.all([
      call('first'),
      call('usual'),
      call('urgent', 'urgent'),
      call('later'),
      call('urgent later', 'urgent'),
    ])

    expect(order).toEqual(['first', 'urgent', 'urgent later', 'usual', 'later'])
  })
})
