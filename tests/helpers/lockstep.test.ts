import { expect, test } from 'vitest'
import { inLockstep, type Participant } from '../../helpers/expiry/lockstep.ts'

/** What happened, in order; each participant says when it sets out for the next move, and when it goes on. */
function recording() {
  const record: string[] = []
  const participant =
    (name: string, steps: number): Participant<string> =>
    async (next) => {
      for (let step = 1; step <= steps; step++) {
        record.push(`${name} awaits ${step}`)
        await next()
      }
      return name
    }
  const move = (name: string) => async () => {
    record.push(name)
  }
  return { record, participant, move }
}

test('nobody is under way while a move is made, and those that have ended are not waited for', async () => {
  const { record, participant, move } = recording()

  const results = await inLockstep([participant('a', 2), participant('b', 1), participant('c', 0)] as const, [
    move('first'),
    move('second'),
  ])

  expect(results).toEqual(['a', 'b', 'c'])
  expect(record).toEqual(['a awaits 1', 'b awaits 1', 'first', 'a awaits 2', 'second'])
})

test('one that fails holds nobody up, and a move that fails is reported to all that await it', async () => {
  const { record, participant, move } = recording()
  const failing: Participant<string> = async () => {
    throw new Error('broken')
  }
  const failed: Participant<string> = (next) => next().then(String, (error: Error) => error.message)

  await expect(inLockstep([failing, participant('a', 1)] as const, [move('first')])).rejects.toThrow('broken')
  expect(record).toEqual(['a awaits 1', 'first'])
  const stuck = async () => {
    throw new Error('no clock')
  }
  expect(await inLockstep([failed, failed] as const, [stuck])).toEqual(['no clock', 'no clock'])
})
