import { expect, test } from 'vitest'
import type { OperationCalls } from '../../helpers/auth/operation-calls.ts'
import { Turns } from '../../helpers/auth/turns.ts'

const opened = () => {
  const all: OperationCalls[] = []
  const open = async () => {
    all.push({ seen: { reads: new Map() } } as unknown as OperationCalls)
    return all.at(-1)!
  }
  return { all, open }
}

test('what was left as it was is handed on, one case after the other', async () => {
  const { all, open } = opened()
  const turns = new Turns()
  let under = 0
  const use = async (calls: OperationCalls) => {
    under += 1
    expect(under).toBe(1)
    await Promise.resolve()
    under -= 1
    return calls
  }

  const used = await Promise.all([turns.take('tags', open, use), turns.take('tags', open, use)])

  expect(used).toEqual([all[0], all[0]])
  expect(all).toHaveLength(1)
})

test('what a case changed or failed on is not handed on', async () => {
  const { all, open } = opened()
  const turns = new Turns()
  const fails = async () => Promise.reject(new Error('it was harmed'))

  await turns.take('tags', open, async ({ seen }) => {
    seen.changed = true
  })
  await expect(turns.take('tags', open, fails)).rejects.toThrow('it was harmed')
  const third = await turns.take('tags', open, async (calls) => calls)

  expect(all).toHaveLength(3)
  expect(third).toBe(all[2])
})

test('where nothing could be made, the next case tries again', async () => {
  const { all, open } = opened()
  const turns = new Turns()
  const breaks = async () => Promise.reject(new Error('nothing can be made'))
  const use = async (calls: OperationCalls) => calls

  const [first, second] = await Promise.allSettled([turns.take('tags', breaks, use), turns.take('tags', open, use)])

  expect(first.status).toBe('rejected')
  expect(second).toEqual({ status: 'fulfilled', value: all[0] })
})
