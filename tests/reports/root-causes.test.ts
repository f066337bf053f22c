import { describe, expect, test } from 'vitest'
import type { Exchange } from '../../helpers/http/exchange.ts'
import type { Level } from '../../helpers/requirement/header.ts'
import { settle } from '../../reports/judge/verdict.ts'
import type { Case, Ending } from '../../schemas/types.ts'

/** A call as it is in the evidence of a case: `get /groups?name=a`, answered with a body. */
function exchange(asked: string, phase: Exchange['phase'] = 'act', body = '{}'): Exchange {
  const [operation = '', path = ''] = asked.split(' ')
  return {
    number: 1,
    operation,
    phase,
    sentAt: '2026-01-01T00:00:00Z',
    ms: 1,
    request: { method: 'GET', url: `http://127.0.0.1${path}`, headers: {} },
    response: { status: 200, headers: {}, body, bytes: body.length },
  }
}

const violated: Ending = { how: 'violated', note: 'expected 0 to be 10' }

const one = (
  id: string,
  exchanges: Exchange[] = [],
  { ending = violated, level = 'must', restsOn = [] }: { ending?: Ending; level?: Level; restsOn?: string[] } = {},
): Case => ({
  header: { id, level, statement: 'S4.1', quote: 'words of the contract', says: 'it holds', restsOn },
  ending,
  exchanges,
  requests: exchanges.length,
  ms: 1,
})

const passed = { ending: { how: 'passed' } } as const
const should = { level: 'should' } as const

/** What became of each case, in whatever order they come. */
function becomes(cases: Case[], expected: Record<string, string>): void {
  const outcomes = (some: Case[]) =>
    Object.fromEntries(
      settle(some).map(({ header, outcome, blockedBy }) => [
        header.id,
        blockedBy ? `${outcome}<${blockedBy}` : outcome,
      ]),
    )

  expect(outcomes(cases)).toEqual(expected)
  expect(outcomes([...cases].reverse()), 'in the other order').toEqual(expected)
}

const listed = exchange('group.list /groups')

test('what found too little is blocked by the root of what refused it', () => {
  const lists = exchange('identity.list /identities')
  const refused = { ...lists, response: { ...lists.response!, status: 400 } }
  const undecided = { ending: { how: 'untold', note: 'found too little' } } as const
  becomes(
    [one('group.list.answers', [listed]), one('identity.list.answers', [lists]), one('x', [refused], undecided)],
    {
      'group.list.answers': 'fail',
      'identity.list.answers': 'inconclusive<group.list.answers',
      x: 'inconclusive<group.list.answers',
    },
  )
})

describe('a red case is blocked', () => {
  test('by the requirement that answers for what it called', () => {
    becomes([one('group.list.answers', [listed]), one('x', [listed])], {
      'group.list.answers': 'fail',
      x: 'inconclusive<group.list.answers',
    })
  })

  test('by that of groups where the operation is asked of another kind', () => {
    const ofIdentities = exchange('identity.list /identities')

    becomes(
      [
        one('group.list.answers', [listed]),
        one('identity.list.answers', [ofIdentities]),
        one('x@identities', [ofIdentities]),
      ],
      {
        'group.list.answers': 'fail',
        'identity.list.answers': 'inconclusive<group.list.answers',
        'x@identities': 'inconclusive<group.list.answers',
      },
    )
  })

  test('by the operation that never answers, where it found too little', () => {
    const refused = { ...listed, response: { ...listed.response!, status: 501 } }
    const undecided = { ending: { how: 'untold', note: 'groups: found 0, needed 1' } } as const

    becomes([one('group.list.answers', [refused]), one('x', [refused], undecided), one('y', [listed], undecided)], {
      'group.list.answers': 'fail',
      x: 'inconclusive<group.list.answers',
      y: 'inconclusive',
    })
  })

  test('by the plainest of several, and not by what that one blocks', () => {
    const rests = ['list.order.name', 'list.skip.echo']

    becomes(
      [
        one('list.order.name', [listed]),
        one('list.skip.echo', [listed], { restsOn: ['list.order.name'] }),
        one('x', [listed], { restsOn: rests }),
      ],
      {
        'list.order.name': 'fail',
        'list.skip.echo': 'inconclusive<list.order.name',
        x: 'inconclusive<list.order.name',
      },
    )
  })

  test('by the walk on which what it shares with others broke', () => {
    const walked = exchange('repo.list /repos?page_token=abc', 'arrange')

    becomes([one('list.token.goes-on', [listed]), one('list.scope.children@repos', [walked])], {
      'list.token.goes-on': 'fail',
      'list.scope.children@repos': 'inconclusive<list.token.goes-on',
    })
  })

  test('where it was shown an error under a status of success', () => {
    const refusal = exchange('group.get /groups/a', 'act', '{"code":5,"message":"no","details":[]}')

    becomes([one('error.never-succeeds', [refusal]), one('x', [refusal]), one('y', [listed])], {
      'error.never-succeeds': 'fail',
      x: 'inconclusive<error.never-succeeds',
      y: 'fail',
    })
  })
})

describe('what a header says it rests on blocks it', () => {
  const resting = (id: string, ...restsOn: string[]): Case => {
    const made = one(id, [listed])
    return { ...made, header: { ...made.header, restsOn } }
  }

  test('by id and by glob', () => {
    becomes([one('a.one', [listed]), resting('a.two', 'a.one'), resting('a.three', 'a.*'), resting('b', 'c.*')], {
      'a.one': 'fail',
      'a.two': 'inconclusive<a.one',
      'a.three': 'inconclusive<a.one',
      b: 'fail',
    })
  })

  test.each([
    ['a.one', 'b@tags', 'inconclusive<a.one'],
    ['a.one@tags', 'b@tags', 'inconclusive<a.one@tags'],
    ['a.one@repos', 'b@tags', 'fail'],
    ['a.one@repos', 'b', 'fail'],
  ])('by a glob that finds %s, %s only where that is of groups or the same kind', (ground, id, outcome) => {
    becomes([one(ground, [listed]), resting(id, 'a.*')], { [ground]: 'fail', [id]: outcome })
  })

  test.each<[Case['ending'], string, string]>([
    [passed.ending, 'pass', 'fail'],
    [{ how: 'untold', note: 'nothing to judge' }, 'inconclusive', 'inconclusive<a'],
  ])('through what did not pass in between: %o', (ending, between, outcome) => {
    becomes([one('a', [listed]), { ...resting('b', 'a'), ending }, resting('c', 'b')], {
      a: 'fail',
      b: between,
      c: outcome,
    })
  })

  test('by the same claim of its own kind, if there is one', () => {
    becomes([one('a', [listed]), one('a@roles', [listed], passed), resting('b@roles', 'a'), resting('b@tags', 'a')], {
      a: 'fail',
      'a@roles': 'pass',
      'b@roles': 'fail',
      'b@tags': 'inconclusive<a',
    })
  })

  test('and nothing else does', () => {
    const filtered = [exchange('group.list /groups?name=a')]
    becomes([one('list.filter.finds', [listed]), { ...resting('x'), exchanges: filtered }], {
      'list.filter.finds': 'fail',
      x: 'fail',
    })
  })
})

describe('a red case stays red', () => {
  test('where the plain one passed', () => {
    becomes([one('group.list.answers', [listed], passed), one('x', [listed])], {
      'group.list.answers': 'pass',
      x: 'fail',
    })
  })

  test('where it did not call what is broken, or only to prepare itself, or judges another call', () => {
    const arranged = exchange('group.list /groups', 'arrange')
    const got = { ...exchange('group.get /groups/a'), number: 2 }
    const judged = { ending: { ...violated, where: 'exchange 2' } }
    const some = [one('x', [got]), one('y', [arranged, got]), one('z', [listed, got], judged)]

    becomes([one('group.list.answers', [listed]), ...some], {
      'group.list.answers': 'fail',
      x: 'fail',
      y: 'fail',
      z: 'fail',
    })
  })

  test('where only a should is broken beside a must', () => {
    becomes([one('group.list.answers', [listed], should), one('x', [listed]), one('y', [listed], should)], {
      'group.list.answers': 'warning',
      x: 'fail',
      y: 'inconclusive<group.list.answers',
    })
  })

  test('where the operation went wrong now and then only, while others were arranged', () => {
    const stop = { operation: 'group.list', phase: 'arrange', why: 'was answered 500', status: 500 } as const
    const stopped: Ending = { how: 'stopped', note: 'group.list was answered 500', stop }

    becomes(
      [one('group.list.answers', [listed], passed), one('x', [listed], { ending: stopped }), one('y', [listed])],
      { 'group.list.answers': 'fail', x: 'inconclusive<group.list.answers', y: 'fail' },
    )
  })
})

test('what passed is never blocked', () => {
  becomes([one('group.list.answers', [listed]), one('x', [listed], passed)], {
    'group.list.answers': 'fail',
    x: 'pass',
  })
})

test('what rests on each other in a circle stays red', () => {
  const walked = [exchange('group.list /groups?page_token=a', 'arrange')]

  becomes([one('list.token.goes-on', walked), one('list.walk.complete', walked), one('x', walked)], {
    'list.token.goes-on': 'fail',
    'list.walk.complete': 'fail',
    x: 'fail',
  })
})
