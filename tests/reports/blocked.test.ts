import { describe, expect, test } from 'vitest'
import type { Stop } from '../../helpers/http/case-errors.ts'
import { settle } from '../../reports/judge/verdict.ts'
import { acting, bothWays, caseOf, passed, stopped, undecided, violated } from '../support/cases.ts'

const arranging = (operation: string, of?: Partial<Stop>) => stopped(operation, 'arrange', of)

describe('blocked', () => {
  test('by a requirement that is red, whatever the phase', () => {
    bothWays(
      [
        caseOf('g.answers', violated),
        caseOf('x', acting('g')),
        caseOf('y', arranging('g'), 'should'),
        caseOf('z', acting('g'), 'observe'),
      ],
      {
        'g.answers': 'fail',
        x: 'inconclusive<g.answers',
        y: 'inconclusive<g.answers',
        z: 'inconclusive<g.answers',
      },
    )
  })

  test('while arranging, which turns the green requirement red, and then blocks the acting ones', () => {
    bothWays([caseOf('g.answers', passed), caseOf('x', arranging('g')), caseOf('y', acting('g'))], {
      'g.answers': 'fail',
      x: 'inconclusive<g.answers',
      y: 'inconclusive<g.answers',
    })
  })

  test('while arranging a should or an observe case, all the same', () => {
    bothWays([caseOf('g.answers', passed), caseOf('x', arranging('g'), 'should')], {
      'g.answers': 'fail',
      x: 'inconclusive<g.answers',
    })
    bothWays([caseOf('g.answers', undecided), caseOf('x', arranging('g'), 'observe')], {
      'g.answers': 'fail',
      x: 'inconclusive<g.answers',
    })
  })

  test.each<Partial<Stop>>([{ status: 403 }, { status: 429 }, { status: 503 }, { status: 400, code: 9 }])(
    'softly while arranging, by %j: the requirement stays green',
    (of) => {
      bothWays([caseOf('g.answers', passed), caseOf('x', arranging('g', of))], {
        'g.answers': 'pass',
        x: 'inconclusive',
      })
    },
  )

  test('while arranging by a requirement that was not asked for', () => {
    bothWays([caseOf('x', arranging('g'))], { x: 'inconclusive<g.answers' })
  })

  test('the requirement that turned red carries the exchange that turned it', () => {
    const exchange = {
      number: 7,
      operation: 'g',
      phase: 'arrange' as const,
      sentAt: '2026-01-01T00:00:00Z',
      ms: 1,
      request: { method: 'POST', url: 'http://127.0.0.1/', headers: {} },
    }
    const other = { ...exchange, number: 8, operation: 'h' }
    const rows = settle([caseOf('g.answers', passed), { ...caseOf('x', arranging('g')), exchanges: [exchange, other] }])

    expect(rows[0]).toMatchObject({ outcome: 'fail', exchanges: [exchange] })
    expect(rows[0]?.note).toContain('answered wrongly while x was arranged')
  })
})

describe('requirements that stop each other', () => {
  test('a chain: the first is red, the second blocked by it, the third acted on a green one', () => {
    bothWays([caseOf('a.answers', acting('a')), caseOf('b.answers', acting('a')), caseOf('c.answers', acting('b'))], {
      'a.answers': 'fail',
      'b.answers': 'inconclusive<a.answers',
      'c.answers': 'fail',
    })
  })

  test('a circle: all of them are red, and block the rest', () => {
    bothWays([caseOf('a.answers', acting('b')), caseOf('b.answers', acting('a')), caseOf('x', acting('a'))], {
      'a.answers': 'fail',
      'b.answers': 'fail',
      x: 'inconclusive<a.answers',
    })
  })
})
