import { describe, expect, test } from 'vitest'
import type { Page, Received } from '../../helpers/api/received.ts'
import { firstPages, foundAll, walk } from '../../helpers/assertions/page-walk.ts'
import type { Violation } from '../../helpers/assertions/violation.ts'

const make = (...uids: string[]): Received[] => uids.map((uid) => ({ uid, name: `name of ${uid}` }))
const pageOf = (uids: string, nextPageToken?: string): Page => ({
  items: make(...uids),
  nextPageToken,
  totalCount: '0',
  skipped: 0,
  body: {},
  headers: {},
})

/** A list that answers these pages by their tokens, and keeps what it was asked. */
function listOf(pages: Record<string, Page>) {
  const asked: unknown[] = []
  const list = async (query: Record<string, unknown>) => {
    asked.push(query)
    return pages[String(query.page_token ?? '')]!
  }
  return { asked, list }
}

const violationOf = async (walking: Promise<unknown>): Promise<Violation> =>
  walking.then(
    () => expect.fail('nothing was found'),
    (error) => error,
  )

describe('walk', () => {
  test('sends everything again but the skip', async () => {
    const { asked, list } = listOf({ '': pageOf('ab', 't1'), t1: pageOf('cd', 't2'), t2: pageOf('e') })

    const { items, pages } = await walk(list, { name: 'n', page_size: 2, skip: 1 }, 5)

    expect(items.map(({ uid }) => uid).join('')).toBe('abcde')
    expect(pages).toHaveLength(3)
    expect(asked).toEqual([
      { name: 'n', page_size: 2, skip: 1 },
      { name: 'n', page_size: 2, page_token: 't1' },
      { name: 'n', page_size: 2, page_token: 't2' },
    ])
  })

  test('goes on from pages that were read before', async () => {
    const { list, asked } = listOf({ '': pageOf('ab', 't'), t: pageOf('cd', 'u'), u: pageOf('e') })
    const begun = await firstPages(list, { page_size: 2 }, 2)

    const { items, pages } = await walk(list, { page_size: 2 }, 5, begun)

    expect(items.map(({ uid }) => uid).join('')).toBe('abcde')
    expect([begun.length, pages.length, asked.length]).toEqual([2, 3, 3])
  })

  test('takes one token on every page, where the cursor is kept by the server', async () => {
    const pages = [pageOf('ab', 't'), pageOf('cd', 't'), pageOf('e')]

    expect((await walk(async () => pages.shift()!, { page_size: 2 }, 5)).items).toHaveLength(5)
  })

  test('takes one empty page at the end, and an empty list', async () => {
    const { list } = listOf({ '': pageOf('ab', 't'), t: pageOf('') })

    expect((await walk(list, { page_size: 2 }, 2)).pages).toHaveLength(2)
    expect((await walk(async () => pageOf(''), {}, 0)).items).toEqual([])
  })

  test.each<[string, Record<string, Page>]>([
    ['a cycle of two', { '': pageOf('ab', 't'), t: pageOf('cd', 'u'), u: pageOf('ab', 't') }],
    ['a page that repeats itself', { '': pageOf('ab', 't'), t: pageOf('ab', 'u') }],
  ])('ends on %s', async (_what, pages) => {
    const { asked, list } = listOf(pages)

    const { name, message, claim } = await violationOf(walk(list, { page_size: 2 }, 40))

    expect({ name, message }).toEqual({
      name: 'AssertionError',
      message: 'a walk shows page 1 again: a cursor cycle',
    })
    expect(claim.got).toBe('2 items, the first of them name of a, name of b')
    expect(asked.length).toBeLessThanOrEqual(3)
  })

  test('ends on a cursor that always goes on, two pages beyond what is needed', async () => {
    let calls = 0
    const letters = 'abcdefghijkl'
    const list = async () => pageOf(letters[calls++] ?? '', `t${calls}`)

    const { message } = await violationOf(walk(list, { page_size: 1 }, 3))

    expect(message).toBe('a walk goes on after 5 pages')
    expect(calls).toBe(5)
  })

  test('names what a cursor forgot', async () => {
    let calls = 0
    const list = async () => pageOf(calls++ > 0 ? `aab${calls}` : 'aa', `t${calls}`)

    const { claim } = await violationOf(walk(list, { name: 'name of a', page_size: 2 }, 2))

    expect(claim.got).toContain('4 items, 2 of them not named name of a, the first of them')
  })

  test('ends on empty pages without end', async () => {
    let calls = 0
    const list = async () => pageOf('', `t${++calls}`)

    await violationOf(walk(list, {}, 60))

    expect(calls).toBe(4)
  })
})

describe('foundAll', () => {
  const found = (...pages: string[]) => {
    const read = pages.map((uids) => pageOf(uids))
    return () => foundAll({ pages: read, items: read.flatMap(({ items }) => items) }, make('a', 'b', 'c'))
  }
  const claimOf = (check: () => void) => {
    try {
      check()
      return undefined
    } catch (error) {
      const { message, claim } = error as Violation
      return { message, got: claim.got, where: claim.where }
    }
  }

  test('takes each once, in any order', () => expect(claimOf(found('cb', 'a'))).toBeUndefined())

  test.each<[string, string[], { message: string; got: string; where: string }]>([
    [
      'lost',
      ['a', 'b'],
      {
        message: 'the walk lost 1 of 3 items',
        got: "missing: c ('name of c'); the 2 pages held 1, 1 items",
        where: '2 items on 2 pages',
      },
    ],
    [
      'doubled',
      ['ab', 'c', 'b'],
      { message: 'the walk lists b twice', got: 'on page 1 and page 3', where: '4 items on 3 pages' },
    ],
    [
      'strange',
      ['ab', 'cz'],
      {
        message: 'the walk lists z, which does not belong',
        got: 'on page 2',
        where: '4 items on 2 pages',
      },
    ],
  ])('says what is %s, and where', (_what, pages, said) => expect(claimOf(found(...pages))).toEqual(said))
})
