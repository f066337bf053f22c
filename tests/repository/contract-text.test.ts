import { readFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { readContract, statementsCited } from '../../reports/text/contract.ts'

const markdown = readFileSync(new URL('../../specs/contract.md', import.meta.url), 'utf8')
const contract = readContract(markdown)

const upTo = (prefix: string, last: number) => Array.from({ length: last }, (_, index) => `${prefix}${index + 1}`)

describe('the contract', () => {
  test('has the sections of the specification that promise something', () => {
    expect(contract.sections).toEqual([
      { number: '1', title: 'Service' },
      { number: '2', title: 'Resources' },
      { number: '4', title: 'Endpoints' },
      { number: '5', title: 'Authentication' },
      { number: '7', title: 'Errors' },
      { number: '8', title: 'Limits' },
      { number: '9', title: 'Versioning' },
    ])
  })

  test('has each statement once, in order', () => {
    const lengths = { 1: 7, 2: 17, 4: 28, 5: 9, 7: 6, 8: 5, 9: 7 }
    const expected = Object.entries(lengths).flatMap(([section, last]) => upTo(`S${section}.`, last))

    expect([...contract.statements.keys()]).toEqual(expected)
    expect(markdown.match(/^- \*\*S/gm)).toHaveLength(expected.length)
  })

  test('has each ruling once, in order', () => {
    expect([...contract.rulings.keys()]).toEqual(upTo('R', 60))
    expect(markdown.match(/^- \*\*R/gm)).toHaveLength(60)
  })

  test('numbers a statement by its section', () => {
    for (const { id, section } of contract.statements.values()) expect(id.split('.')[0]).toBe(`S${section}`)
  })

  test('cites nothing that it does not have', () => {
    const known = new Set([...contract.statements.keys(), ...contract.rulings.keys()])

    for (const { cites } of contract.rulings.values()) for (const id of cites) expect(known).toContain(id)
    for (const id of statementsCited(markdown)) expect(known).toContain(id)
  })

  test('says the level of each ruling that judges, and ends each item as a sentence', () => {
    const items = [...contract.statements.values(), ...contract.rulings.values()]

    for (const { id, text } of items) expect(text, id).toMatch(/[.)]$/)
    for (const { id, text } of items) expect(text, id).not.toMatch(/^\(/)
  })

  test('keeps every number that a reader may need', () => {
    const exact = ['^[a-z0-9 ._-]{1,}$', 'Invalid argument: name: ', 'Precondition failed: ', 'RESOURCE_NOT_EMPTY']

    for (const words of exact) expect(markdown).toContain(words)
    expect(contract.statements.get('S4.11')?.text).toMatch(/\b50\b.*\b200\b/)
    expect(contract.rulings.get('R40')?.text).toMatch(/3600 s.*60 s.*59 minutes.*61/)
    expect(contract.rulings.get('R3')?.text).toMatch(/3 to 63/)
    expect(contract.rulings.get('R2')?.text).toMatch(/20 minutes/)
  })

  test('lists what is not shown', () => {
    expect(contract.notShown).toHaveLength(16)
    expect(contract.notShown).toContain('events')
  })

  test('knows nothing of links, and names the vendor in package names only', () => {
    expect(markdown).not.toMatch(/https?:|\]\(/)
    expect(markdown.match(/chainguard(?!\.platform\.)/gi)).toBeNull()
  })
})

describe('readContract', () => {
  test('refuses an id that is there twice, or in the wrong place', () => {
    expect(() => readContract('## 1 A\n- **S1.1** x.\n- **S1.1** y.')).toThrow('S1.1 is twice in the contract.')
    expect(() => readContract('## 1 A\n- **S2.1** x.')).toThrow("S2.1 is under '1 A', not in section 2.")
    expect(() => readContract('## 1 A\n- **R1** x.')).toThrow("R1 is under '1 A', not under 'Rulings'.")
  })

  test('reads the citation of a ruling apart from its words', () => {
    const { rulings } = readContract('## Rulings\r\n- **R1** (S2.1, R9) One.\r\n- **R2** (so it is) Two.')

    expect(rulings.get('R1')).toEqual({ id: 'R1', cites: ['S2.1', 'R9'], text: 'One.' })
    expect(rulings.get('R2')).toEqual({ id: 'R2', cites: [], text: '(so it is) Two.' })
  })
})

test.each([
  ['S4.23', ['S4.23']],
  ['S4.8, R15', ['S4.8', 'R15']],
  ['S4.8,R15; S4.8', ['S4.8', 'R15']],
  ['R46 (S2.4)', ['R46', 'S2.4']],
  ['', []],
  ['RS256, S4', []],
])('statementsCited(%j)', (citation, ids) => expect(statementsCited(citation)).toEqual(ids))
