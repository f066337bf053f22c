import type { KindName } from '../api/kinds.ts'
import { isObject, type Received } from '../api/received.ts'
import { outcomeOf } from '../assertions/refused.ts'
import { type Answer, succeeded } from '../http/call.ts'
import { listedUids } from './listings.ts'

/** The calls, with the labels of their answers. */
type Asked = Record<string, Promise<Answer>>

/** Answers in words that can be compared between releases: `a: 200, taken; b: 400 code 3`. */
export async function sideBySide(asked: Asked, effect?: (answer: Answer, what: string) => string) {
  const answers = await Promise.all(Object.values(asked))
  const said = Object.keys(asked).map((what, index) => {
    const answer = answers[index]!
    const more = succeeded(answer) ? effect?.(answer, what) : undefined
    return `${what}: ${outcomeOf(answer)}${more ? `, ${more}` : ''}`
  })
  return said.join('; ')
}

/** How many results a list shows, in words. */
export const countedAs = (kind: KindName) => (answer: Answer) => {
  const count = listedUids(kind, answer).length
  return count === 1 ? '1 result' : `${count} results`
}

/** What became of a member that was sent, in words. */
export const keptAs = (member: string, sent: unknown) => (answer: Answer) => {
  const got = isObject(answer.json) ? answer.json[member] : undefined
  if (JSON.stringify(got) === JSON.stringify(sent)) return 'kept'
  return got === undefined || got === '' || JSON.stringify(got) === '{}' ? 'left out' : 'changed'
}

/** What a body is, in words: none, JSON of some type, or something else. */
export function bodyAs({ text, json, notJson }: Answer): string {
  if (text === '') return 'no body'
  if (notJson !== undefined) return 'no JSON'
  return isObject(json) ? (Object.keys(json).length === 0 ? '{}' : 'an object') : 'other JSON'
}

/** What an Update changed of the name and the description, in words. */
export function changesSince(before: Received, after: Received): string {
  const name = after.name === before.name ? 'the name stays' : 'the name changes'
  const description = { [String(before.description)]: 'stays', '': 'is emptied', undefined: 'is emptied' }
  return `${name}, the description ${description[String(after.description)] ?? 'changes'}`
}

/** What the body of a Delete holds: nothing where it has no bytes, or is `{}` (R27). */
export const contentOf = ({ text }: Answer): string => text.replaceAll(/\s/g, '').replace(/^\{\}$/, '')
