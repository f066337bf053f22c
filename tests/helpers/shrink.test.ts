import { describe, expect, test } from 'vitest'
import { filledIn, hoisted, recorded, renumbered, whole } from '../../helpers/explore/recorded.ts'
import type { Sent } from '../../helpers/explore/recorder.ts'
import { shrunk } from '../../helpers/explore/shrink.ts'
import { slices } from '../../helpers/explore/slice.ts'
import type { Answer, Call } from '../../helpers/http/call.ts'
import type { RecordedCall } from '../../schemas/types.ts'

const numbers = Array.from({ length: 150 }, (_, index) => index)

/** Shrinks numbers of which some have to stay; returns what is left, and how many parts were tried. */
async function tried(needed: readonly number[], most = Number.POSITIVE_INFINITY) {
  let tries = 0
  const left = await shrunk(numbers, {
    whole: (part) => [...part],
    shows: async (part) => {
      tries++
      return needed.every((number) => part.includes(number))
    },
    isOver: () => tries >= most,
  })
  return { left, tries }
}

describe('what shows a finding', () => {
  test.each([[[149]], [[0, 149]], [[3, 4, 5, 80, 149]], [[0, 20, 40, 60, 80, 100, 149]]])(
    'is %j of 150',
    async (needed) => {
      const { left, tries } = await tried(needed)

      expect(left).toEqual(needed)
      expect(tries).toBeLessThan(250)
    },
  )

  test('is what is left when no further part may be tried', async () => {
    const { left, tries } = await tried([0, 149], 5)

    expect(tries).toBe(5)
    expect(left).toEqual(expect.arrayContaining([0, 149]))
    expect(left.length).toBeLessThan(150)
  })

  test('is everything where no part shows it', async () => {
    expect((await tried(numbers)).left).toEqual(numbers)
  })
})

const root = 'e0996a37c13d44c3'
const path = (uid: string) => `/iam/v2beta1/groups/${uid}`
const sent = (method: Call['method'], uid: string | undefined, more: Partial<Call> = {}, json: object = {}): Sent => ({
  call: { operation: 'x', method, path: uid === undefined ? '/iam/v2beta1/groups' : path(uid), ...more },
  answer: { status: 200, json } as Answer,
  n: 1,
})

const story = recorded(
  [
    sent('POST', root, { body: { name: 'abcdefghx' } }, { uid: `${root}/11111111` }),
    sent('POST', `${root}/11111111`, { body: { name: 'abcdefghy' } }, { uid: `${root}/11111111/22222222` }),
    sent('POST', root, { body: { name: 'abcdefghz' } }, { uid: `${root}/33333333` }),
    sent(
      'GET',
      undefined,
      { query: { 'uidp.children_of': `${root}/11111111`, page_size: 1, name: undefined } },
      { nextPageToken: '7' },
    ),
    sent('GET', undefined, { query: { page_token: '7', skip: 7 } }),
    sent('PATCH', `${root}/11111111/22222222`, { body: { raw: '{"name": "abcdefgh' } }),
  ],
  [
    [root, 'group'],
    ['abcdefgh', 'name'],
  ],
)
const uidOf = (number: number) => `\${${number}.uid}`

describe('calls as they are recorded', () => {
  test('have variables for what differs elsewhere, and for nothing else', () => {
    expect(story).toEqual([
      { number: 1, does: 'create', kind: 'groups', uid: variable('group'), body: { name: `${variable('name')}x` } },
      { number: 2, does: 'create', kind: 'groups', uid: uidOf(1), body: { name: `${variable('name')}y` } },
      { number: 3, does: 'create', kind: 'groups', uid: variable('group'), body: { name: `${variable('name')}z` } },
      { number: 4, does: 'list', kind: 'groups', query: { 'uidp.children_of': uidOf(1), page_size: 1 } },
      { number: 5, does: 'list', kind: 'groups', query: { page_token: variable('4.nextPageToken'), skip: 7 } },
      { number: 6, does: 'update', kind: 'groups', uid: uidOf(2), body: { raw: `{"name": "${variable('name')}` } },
    ])
  })

  test('go with what they refer to', () => {
    const without = (number: number) => whole(story.filter((call) => call.number !== number)).map((call) => call.number)

    expect(without(1)).toEqual([3])
    expect(without(2)).toEqual([1, 3, 4, 5])
    expect(without(4)).toEqual([1, 2, 3, 6])
  })

  test('have the values of their variables when they are sent, or are not sent', () => {
    const values = new Map([
      ['2.uid', 'b/c'],
      ['name', 'kkkk'],
    ])

    expect(filledIn(story[5]!, values)).toMatchObject({ uid: 'b/c', body: { raw: '{"name": "kkkk' } })
    expect(filledIn(story[4]!, values)).toBeUndefined()
  })

  test('are in the group above where a group between is left out', () => {
    expect(hoisted(story, story[0]!).map(({ number, uid }) => [number, uid])).toEqual([
      [2, variable('group')],
      [3, variable('group')],
      [4, undefined],
      [5, undefined],
      [6, uidOf(2)],
    ])
    expect(renumbered(hoisted(story, story[0]!)).at(-1)).toMatchObject({ number: 5, uid: uidOf(1) })
  })

  test('of a story are the writes on it, its ancestors and its children, and the pages that show it', () => {
    const shown = (calls: readonly RecordedCall[]) => calls.map(({ number }) => number)

    expect(slices(story.slice(0, 5), new Set([2])).map(shown)).toEqual([[1, 2, 4, 5]])
    expect(slices(story, new Set([2])).map(shown)).toEqual([
      [1, 2, 6],
      [1, 2, 3, 6],
    ])
  })
})

function variable(name: string): string {
  return `\${${name}}`
}
