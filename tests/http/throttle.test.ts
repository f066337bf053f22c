import { expect, test } from 'vitest'
import { Throttle } from '../../helpers/http/throttle.ts'

test('what a run waits for has its turn before what only waits', async () => {
  const throttle = new Throttle(1)
  const order: string[] = []
  const call = (name: string, urgency?: 'urgent' | 'usual') => throttle.pass(async () => void order.push(name), urgency)

  await Promise.all([
    call('first'),
    call('usual'),
    call('urgent', 'urgent'),
    call('later'),
    call('urgent later', 'urgent'),
  ])

  expect(order).toEqual(['first', 'urgent', 'urgent later', 'usual', 'later'])
})
