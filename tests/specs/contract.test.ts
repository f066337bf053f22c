import { readFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { collectHeaders, namesIn } from '../../cli/input/collect.ts'
import { kinds } from '../../helpers/api/kinds.ts'
import { sentences } from '../../helpers/model/clauses.ts'
import { modelRows } from '../../helpers/model/rows.ts'
import type { Header } from '../../helpers/requirement/header.ts'
import { readContract, statementsCited } from '../../reports/text/contract.ts'
import { untestable } from '../../specs/untestable.ts'

const specs = new URL('../../specs/', import.meta.url)
const contract = readContract(readFileSync(new URL('contract.md', specs), 'utf8'))
const headers = await collectHeaders()
const ids = headers.map(({ id }) => id)
const cited = new Set(headers.flatMap(({ statement }) => statementsCited(statement)))
const statements = [...contract.statements.keys()]

/** Why the statements and what is said of them do not fit together. */
function mismatches(all: readonly string[], examined: ReadonlySet<string>, excuses: Record<string, string>[]) {
  return all.flatMap((id) => {
    const excused = excuses.filter((record) => id in record).length
    if (examined.has(id)) return excused === 0 ? [] : [`${id} is cited, and excused as well`]
    return excused === 1 ? [] : [`${id} is not cited, and excused ${excused} times`]
  })
}

describe('the contract and the requirements', () => {
  test('are both there', () => {
    expect(headers.length).toBeGreaterThan(150)
    expect(statements.length).toBeGreaterThan(70)
  })

  test('what is cited is in the contract', () => {
    const known = [...statements, ...contract.rulings.keys()]

    expect([...cited].filter((id) => !known.includes(id))).toEqual([])
    expect(headers.filter(({ statement }) => !/^[SR][\d.]+(, [SR][\d.]+)*$/.test(statement))).toEqual([])
  })

  test('each requirement stems from a statement, by name or by a ruling on one', () => {
    const rootless = headers.filter(({ statement }) => !/\bS\d/.test(statement))

    expect(rootless.map(({ id }) => id)).toEqual([])
  })

  test('each statement is cited, or excused exactly once', () => {
    expect(mismatches(statements, cited, [untestable])).toEqual([])
  })

  test('no excuse is for a statement that is not there, and each is one sentence', () => {
    const excuses = untestable

    expect(Object.keys(excuses).filter((id) => !statements.includes(id))).toEqual([])
    for (const reason of Object.values(excuses)) expect(reason).toMatch(/^[A-Z][^.]+\.$/)
  })

  test('a statement that is forgotten, or both cited and excused, is seen', () => {
    expect(mismatches(['S1', 'S2', 'S3', 'S4'], new Set(['S1', 'S2']), [{ S2: '', S4: '' }, { S4: '' }])).toEqual([
      'S2 is cited, and excused as well',
      'S3 is not cited, and excused 0 times',
      'S4 is not cited, and excused 2 times',
    ])
  })
})

describe('the headers', () => {
  test('have ids that are unique and of one form', () => {
    const plurals = Object.keys(kinds).join('|')
    // created_at is a field of the contract's own
    const word = '(?:created_at|[a-z][a-z0-9]*)(?:-[a-z0-9]+)*'
    const kind = Object.values(kinds)
      .map(({ name }) => name)
      .join('|')
    const form = new RegExp(`^(?:${kind}|${word})(?:\\.(?:${kind}|${word}))+(?:@(?:${plurals}|v1))?$`)

    expect(ids.filter((id, index) => ids.indexOf(id) !== index)).toEqual([])
    expect(ids.filter((id) => !form.test(id))).toEqual([])
    expect(ids.filter((id) => /@groups$/.test(id))).toEqual([])
    for (const odd of ['group', 'Group.a', 'group.A', 'group.a.', 'group.a@role', 'group.a_b', 'group..a'])
      expect(odd).not.toMatch(form)
  })

  test('know their levels and profiles', () => {
    expect([...new Set(headers.map(({ level }) => level))].sort()).toEqual(['must', 'observe', 'should'])
    expect([...new Set(headers.map(({ profile = 'core' }) => profile))].sort()).toEqual([
      'core',
      'grpc',
      'identities',
      'registry',
      'sts',
      'time',
      'v1',
      'vulnerabilities',
    ])
  })

  test('say one sentence, without its full stop', () => {
    const odd = headers.filter(({ says }) => !/^\S+(?: \S+){2,}$/.test(says) || /[.!?](?: [A-Z]|$)/.test(says))

    expect(odd.map(({ id, says }) => `${id}: ${says}`)).toEqual([])
  })

  test('say something else each', () => {
    const said = headers.map(({ says }) => says)

    expect(said.filter((says, index) => said.indexOf(says) !== index)).toEqual([])
  })

  test('hold a requirement for each operation that a case can be stopped by', () => {
    const operations = Object.values(kinds).flatMap(({ name, offered }) =>
      offered.map((operation) => `${name}.${operation}.answers`),
    )
    operations.push(...operations.map((id) => `grpc.${id}`), 'v1.group.list.answers', 'v1.repo.list.answers')
    const printed = Object.values(kinds).flatMap(({ name, printed }) =>
      printed.map((operation) => `${name}.${operation}.answers`),
    )

    expect(operations.filter((id) => !ids.includes(id))).toEqual([])
    expect(ids.filter((id) => id.endsWith('.answers') && !operations.includes(id))).toEqual([])
    expect(printed.filter((id) => !operations.includes(id))).toEqual([])
  })
})

test('what runs alone comes after everything else, which would wait for it', () => {
  const alone = headers.map((header) => header.alone !== undefined)

  expect(alone.lastIndexOf(false)).toBeLessThan(alone.indexOf(true))
})

describe('the quotation in each header', () => {
  const textOf = (id: string) => contract.statements.get(id)?.text ?? contract.rulings.get(id)?.text ?? ''
  const holds = ({ statement, quote }: Pick<Header, 'statement' | 'quote'>) =>
    statementsCited(statement).some((id) => textOf(id).includes(quote))

  test('is in the contract, in a statement or ruling that the header cites', () => {
    expect(headers.filter((header) => !holds(header)).map(({ id, quote }) => `${id}: ${quote}`)).toEqual([])
    expect(holds({ statement: 'S4.23', quote: 'words that nobody wrote' })).toBe(false)
  })

  test('is a phrase, not a word', () => {
    expect(
      headers.filter(({ quote }) => quote.split(' ').length < 3).map(({ id, quote }) => `${id}: ${quote}`),
    ).toEqual([])
  })
})

test('each sentence that a finding of the model cites is in the contract, and its statement in a row', () => {
  const cited = new Set(modelRows.flatMap(({ statement }) => statementsCited(statement)))
  const wrong = Object.entries(sentences).filter(([key, quote]) => {
    const id = key.split(' ')[0]!
    const text = contract.statements.get(id)?.text ?? contract.rulings.get(id)?.text ?? ''
    return !text.includes(quote) || !cited.has(id)
  })

  expect(wrong).toEqual([])
})

test('every id of 0.1.0 still names a requirement', () => {
  const released = readFileSync(new URL('ids-0.1.0.txt', import.meta.url), 'utf8')
    .trim()
    .split('\n')
  const known = namesIn(headers)

  expect(released).toHaveLength(884)
  expect(released.filter((id) => !known.has(id))).toEqual([])
})
