import { describe, expect, test } from 'vitest'
import { eventuallyWithin } from '../../helpers/arrange/eventually.ts'
import { violated } from '../../helpers/assertions/violation.ts'
import type { Answer, Call } from '../../helpers/http/call.ts'
import { noteAnswer } from '../../helpers/http/call.ts'
import { Stopped } from '../../helpers/http/case-errors.ts'
import { Lateness, type View } from '../../helpers/invariants/lateness.ts'

const absent = () => violated({ message: 'it is not there', expected: 'it', got: 'nothing' })

/** A target with one list, one group and one binding, which shows each of these states in turn and stays with the last. */
function showing(
  call: Partial<Call>,
  answers: { status?: number; json?: unknown }[],
  isOurs?: (uid: string) => boolean,
) {
  const lateness = new Lateness(isOurs)
  const eventually = eventuallyWithin(1_000, lateness)
  let at = 0
  const read = async () => {
    const { status = 200, json = {} } = answers[Math.min(at++, answers.length - 1)]!
    const answer = { status, json, text: JSON.stringify(json), headers: {}, exchange: { number: at } } as Answer
    noteAnswer({ operation: 'group.list', method: 'GET', path: '/groups', ...call }, answer)
    return answer
  }
  const late = () =>
    (['children', 'descendants', 'name', 'order', 'get', 'embedded', 'v1', 'deletion', 'exchange'] as View[]).filter(
      (view) => lateness.of(view).late > 0,
    )
  return { lateness, eventually, read, late }
}

const listOf = (...groups: string[]) => ({ json: { groups: groups.map((uid) => ({ uid })), totalCount: '9' } })
const listed = (uid: string) => (answer: Answer) => expect(answer.text).toContain(`"${uid}"`)
const gone = (uid: string) => (answer: Answer) => expect(answer.text).not.toContain(`"${uid}"`)
const found = ({ status }: Answer) => expect(status).toBe(200)
const lost = ({ status }: Answer) => expect(status).toBe(404)
const renamed = (answer: Answer) => expect(answer.text).toContain('"new"')
const binding = (name: string) => ({ uid: 'b', group: { uid: 'g', name } })
const one = (name: string) => ({ json: { roleBindings: [binding(name)] } })

describe('the view that is late', () => {
  test('is none where only something of the target itself came', async () => {
    const answers = [listOf('a'), listOf('a', 'default')]
    const { eventually, read, late } = showing({ query: { 'uidp.children_of': 'g' } }, answers, (uid) => uid === 'a')

    await eventually(async () => listed('default')(await read()))

    expect(late()).toEqual([])
  })

  test('is none where something of the target went, or took the place of something else', async () => {
    const answers = [listOf('a', 'standby'), listOf('a'), listOf('a', 'other')]
    const call = { query: { 'uidp.children_of': 'g' } }
    const { eventually, read, late } = showing(call, answers, (uid) => uid === 'a')

    await eventually(async () => gone('standby')(await read()))
    await eventually(async () => listed('other')(await read()))

    expect(late()).toEqual([])
  })

  test('is that of a list in which something of the run came and something of the target went', async () => {
    const answers = [listOf('a', 'standby'), listOf('a', 'b')]
    const { eventually, read, late } = showing(
      { query: { 'uidp.children_of': 'g' } },
      answers,
      (uid) => uid !== 'standby',
    )

    await eventually(async () => listed('b')(await read()))

    expect(late()).toEqual(['children'])
  })

  test('is none where something of the target came on a later page, and moved the total alone', async () => {
    const page = (totalCount: string) => ({ json: { ...listOf('a').json, totalCount, nextPageToken: 't' } })
    const call = { query: { 'uidp.children_of': 'g', page_size: 1 } }
    const { eventually, read, late } = showing(call, [page('2'), page('3')], (uid) => uid === 'a')

    await eventually(async () => {
      const { json } = await read()
      if ((json as { totalCount: string }).totalCount !== '3') absent()
    })

    expect(late()).toEqual([])
  })

  test('is no loss where a total comes back, as one thing came and another went', async () => {
    const counting = (...groups: string[]) => ({ json: { ...listOf(...groups).json, totalCount: `${groups.length}` } })
    const answers = [counting('a'), counting('a', 'b'), counting('b')]
    const { eventually, read, late } = showing({ query: { 'uidp.children_of': 'g' } }, answers)

    await eventually(async () => gone('a')(await read()))

    expect(late()).not.toEqual([])
  })

  test.for<[View, Partial<Call>, { status?: number; json?: unknown }[], (answer: Answer) => void]>([
    ['children', { query: { 'uidp.children_of': 'g' } }, [listOf('a'), listOf('a', 'b')], listed('b')],
    ['descendants', { query: { 'uidp.descendants_of': 'g' } }, [listOf('a'), listOf('a', 'b')], listed('b')],
    ['name', { query: { 'uidp.children_of': 'g', name: 'b' } }, [listOf(), listOf('b')], listed('b')],
    ['name', { query: { 'uidp.children_of': 'g', name: 'b' } }, [listOf('b'), listOf()], gone('b')],
    ['order', { query: { 'uidp.children_of': 'g', order_by: 'name' } }, [listOf('a'), listOf('a', 'b')], listed('b')],
    ['deletion', { query: { 'uidp.children_of': 'g' } }, [listOf('a', 'b'), listOf('a')], gone('b')],
    ['get', { operation: 'group.get' }, [{ status: 404 }, { json: { uid: 'b' } }], found],
    ['get', { operation: 'group.get' }, [{ json: { name: 'old' } }, { json: { name: 'new' } }], renamed],
    ['deletion', { operation: 'group.get' }, [{ json: { uid: 'b' } }, { status: 404 }], lost],
    ['embedded', { operation: 'roleBinding.get' }, [{ json: binding('old') }, { json: binding('new') }], renamed],
    ['embedded', { operation: 'roleBinding.list' }, [one('old'), one('new')], renamed],
    ['v1', { operation: 'v1.group.list' }, [{ json: { items: [] } }, { json: { items: [{ id: 'b' }] } }], listed('b')],
  ])('is that of the answer that changed: %s', async ([view, call, answers, judge]) => {
    const { lateness, eventually, read, late } = showing(call, answers)

    await eventually(async () => judge(await read()))

    expect(late()).toEqual([view])
    expect(lateness.of(view).longest).toBeGreaterThan(0)
    expect(lateness.of(view).proof.map(({ number }) => number)).toEqual([1, 2])
  })

  test('is none where everything fits at once', async () => {
    const { lateness, eventually, read, late } = showing({ query: { 'uidp.children_of': 'g' } }, [listOf('a')])

    await eventually(async () => listed('a')(await read()))

    expect(late()).toEqual([])
    expect(lateness.of('children').atOnce).toBe(1)
    expect(lateness.any).toBe(false)
  })
})

describe('a refusal that the contract does not explain', () => {
  const aborted = { status: 409, json: { code: 10 } }
  const soft = () => {
    throw new Stopped({ operation: 'group.get', phase: 'act', why: 'is refused', status: 409, code: 10 })
  }

  test('shows no lag, however the reading ends', async () => {
    for (const end of [soft, absent]) {
      const call = { operation: 'group.get' }
      const { eventually, read, late } = showing(call, [aborted, { json: { uid: 'b' } }])

      await eventually(async () => {
        if ((await read()).status !== 200) end()
      })

      expect(late()).toEqual([])
    }
  })

  test('loses nothing that was shown', async () => {
    const { eventually, read, late } = showing({}, [listOf('a'), aborted, listOf('a'), listOf('a', 'b')])

    await eventually(async () => listed('b')(await read()))

    expect(late()).toEqual(['descendants'])
  })
})

describe('what was shown and is lost again', () => {
  const query = { 'uidp.children_of': 'g' }

  test('is not forgiven where the next reading shows it', async () => {
    const { eventually, read } = showing({ query }, [listOf('a'), listOf('a', 'b'), listOf('a')])

    await expect(eventually(async () => listed('b')(await read()))).rejects.toThrow('lost again')
  })

  test('is not forgiven while something else is awaited', async () => {
    const { eventually, read } = showing({ query }, [listOf('a'), listOf('a', 'b'), listOf('a'), listOf('a', 'b', 'c')])

    await expect(eventually(async () => listed('c')(await read()))).rejects.toThrow()
  })

  test('what was made, and given another name since, is not lost from the list of its first name', async () => {
    const [none, first] = [listOf(), listOf('a')]
    const { eventually, read } = showing({ query: { name: 'first' } }, [none, first, none, none, none])
    const order = showing({ query: { order_by: 'name' } }, [...Array(4).fill(listOf('b')), listOf('b', 'a')])

    await eventually(async () => {
      gone('a')(await read())
      listed('a')(await order.read())
    })
  })

  test('what comes back to that list is not forgiven', async () => {
    const [none, first] = [listOf(), listOf('a')]
    const { eventually, read } = showing({ query: { name: 'first' } }, [first, none, first, none])
    const { read: other } = showing({ query: { order_by: 'name' } }, [listOf()])

    await expect(
      eventually(async () => {
        gone('a')(await read())
        listed('a')(await other())
      }),
    ).rejects.toThrow()
  })

  test('what was absent, there, and absent again before it fits is not forgiven', async () => {
    const [none, made] = [listOf(), listOf('a')]
    const { eventually, read } = showing({ query }, [none, made, none, made])
    const { read: other } = showing({ query: { order_by: 'name' } }, [listOf('b'), listOf('b', 'a')])

    await expect(
      eventually(async () => {
        listed('a')(await read())
        listed('a')(await other())
      }),
    ).rejects.toThrow('lost again')
  })

  test('what comes bit by bit is', async () => {
    const { eventually, read } = showing({ query }, [listOf('a'), listOf('a', 'b'), listOf('a', 'b', 'c')])

    await eventually(async () => listed('c')(await read()))
  })
})
