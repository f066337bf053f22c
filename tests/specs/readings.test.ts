import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { packageRoot } from '../../cli/input/package.ts'

const specs = join(packageRoot, 'specs')

/** Where the brackets that open in a text at some place close. */
function endOf(text: string, open: number): number {
  for (let at = open, depth = 0; at < text.length; at++) {
    if (text[at] === '(') depth++
    else if (text[at] === ')' && --depth === 0) return at
  }
  return text.length
}

/** The Gets of a case that are sent once and must succeed, although what they name may be too new to be shown (R52). */
function hastyGets(source: string): string[] {
  const patient = [...source.matchAll(/\beventually\(/g)].map(({ index }) => [
    index,
    endOf(source, source.indexOf('(', index)),
  ])
  return [...source.matchAll(/\bapi(\.\w+|\[\w+\])\.get\(([^)]*)\)/g)].flatMap(({ 0: call, 2: named = '', index }) => {
    if (patient.some(([from, to]) => from! < index && index < to!)) return []
    const [thing] = named.split('.') as [string]
    const before = source.slice(0, index)
    const isKnown =
      new RegExp(`\\b${thing}\\b[^=]*= [^\\n]*makeKnown\\(`).test(before) ||
      patient.some(([from, to]) => to! < index && source.slice(from, to).includes(`.get(${named})`))
    return isKnown ? [] : [call]
  })
}

test('what a case has just made is read with patience, or was seen before', () => {
  const files = readdirSync(specs, { recursive: true, encoding: 'utf8' }).filter((name) => name.endsWith('.spec.ts'))
  const hasty = files.flatMap((name) => {
    const cases = readFileSync(join(specs, name), 'utf8').split(/^\s*requirement\(/m)
    return cases.flatMap(hastyGets).map((call) => `${name}: ${call}`)
  })

  expect(files.length).toBeGreaterThan(50)
  expect(hasty).toEqual([])
  expect(hastyGets('const one = await scratch.makeGroup()\nawait api.groups.get(one.uid)')).toHaveLength(1)
})
