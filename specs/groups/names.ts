import { randomInt } from 'node:crypto'
import { type Names, reservedWords } from '../../helpers/api/names.ts'
import { isForName } from '../../helpers/api/soft-refusal.ts'
import { taken } from '../../helpers/assertions/refused.ts'
import type { Context } from '../../helpers/case/requirement.ts'
import { type Answer, succeeded } from '../../helpers/http/call.ts'

const lengthRule = '_Ordinary_ names lie inside it, have 3 to 30 characters'

const threeCharacters = () => Array.from({ length: 3 }, () => randomInt(10, 36).toString(36)).join('')

const endRule = 'begin and end with a letter or a digit'

const punctuationRule =
  'they must be accepted, with each of the allowed punctuation characters (space, `.`, `_`, `-`) between letters'

/** The letters of a fresh name as digits, unique to it. */
const inDigits = (fresh: string) => [...fresh].map((letter) => letter.charCodeAt(0) - 97).join('')

/** Names to try, by what they test. */
export interface NamesToTry {
  phrase: string
  quote: string
  namesFrom: (fresh: string) => string[]
  level?: 'should'
}

/** Names inside the rule that are longer than ordinary ones (R3). */
export const longNames: Record<string, NamesToTry> = {
  'sixty-three-characters': {
    phrase: 'A name of 31 to 63 characters',
    quote: 'those of 1 or 2 characters, of 31 to 63 characters',
    namesFrom: (fresh) => [fresh.padEnd(31, 'x'), fresh.padEnd(63, 'y')],
    level: 'should',
  },
}

/** Ordinary names by what they test; letters of the run make each unique (R3). */
export const ordinaryNames: Record<string, NamesToTry> = {
  'three-characters': {
    phrase: 'A name of three characters',
    quote: lengthRule,
    namesFrom: () => [threeCharacters(), threeCharacters()],
  },
  'thirty-characters': {
    phrase: 'A name of 30 characters',
    quote: lengthRule,
    namesFrom: (fresh) => [fresh.padEnd(30, 'x')],
  },
  digits: {
    phrase: 'A name with digits in any position',
    quote: endRule,
    namesFrom: (fresh) => [`7${fresh}`, `${fresh}42`, `${fresh.slice(0, 8)}0123456789${fresh.slice(8)}`],
  },
  space: {
    phrase: 'A name with a space between letters',
    quote: punctuationRule,
    namesFrom: (fresh) => [`${fresh} b`],
  },
  dot: {
    phrase: 'A name with a dot between letters',
    quote: punctuationRule,
    namesFrom: (fresh) => [`${fresh}.b`],
  },
  underscore: {
    phrase: 'A name with an underscore between letters',
    quote: punctuationRule,
    namesFrom: (fresh) => [`${fresh}_b`],
  },
  hyphen: {
    phrase: 'A name with a hyphen between letters',
    quote: punctuationRule,
    namesFrom: (fresh) => [`${fresh}-b`],
  },
  'every-class': {
    phrase: 'A name with every class of allowed character',
    quote: punctuationRule,
    namesFrom: (fresh) => [`a ${fresh}.9_z-0`],
  },
  // loosely typed code mistakes these for other types
  words: {
    phrase: 'A name that resembles null, a boolean, a number or a word of a language',
    quote: 'must come back as sent',
    namesFrom: (fresh) => [
      ...['null', 'undefined', 'true', 'nan', `00${inDigits(fresh)}`, `1e${inDigits(fresh)}`],
      ...reservedWords,
    ],
  },
}

/** The same for a rename: mostly other words, because a name is used once in a run (R3). */
export const ordinaryRenames: Record<string, NamesToTry> = {
  ...ordinaryNames,
  words: {
    ...ordinaryNames.words!,
    namesFrom: (fresh) => [
      ...['none', 'void', 'false', 'inf', `00${inDigits(fresh)}`, `1e${inDigits(fresh)}`],
      ...['constructor', 'object', 'size', 'delete', 'off'],
    ],
  },
}

/**
 * The answers of those names that were not refused as taken, each with its name (R3). `again` makes something with a name
 * that is taken: where that is refused like a bad name, another run may have taken a word before.
 */
export async function judged(
  sent: readonly string[],
  answers: readonly Answer[],
  { given, run }: Names,
  again: () => Promise<Answer>,
): Promise<[string, Answer][]> {
  const pairs = sent.map((name, index): [string, Answer] => [name, answers[index]!])
  const mayBeTaken = ([name, answer]: [string, Answer]) => isForName(answer) && !name.includes(run)
  const isUnclear = pairs.some(mayBeTaken) && isForName(await again())
  const open = pairs.filter(
    ([name, answer]) =>
      !taken(answer) && !(isForName(answer) && given.has(name)) && !(isUnclear && mayBeTaken([name, answer])),
  )
  for (const [name] of open.filter(([, answer]) => succeeded(answer))) given.add(name)
  return open
}

/** Makes two groups of one name: the second answer shows how a name that is taken is refused, if it is (R3). */
export const secondOf =
  ({ api, scratch, names }: Pick<Context, 'api' | 'scratch' | 'names'>) =>
  async (): Promise<Answer> => {
    const name = names.fresh()
    await api.attempt.groups.create(scratch.uid, { name })
    return api.attempt.groups.create(scratch.uid, { name })
  }

/** Names outside the rule, each differing from a good name in one respect (R3). */
export const badNames: Record<string, { phrase: string; nameFrom: (fresh: string) => string | null }> = {
  empty: { phrase: 'an empty name', nameFrom: () => '' },
  'upper-case': { phrase: 'an upper-case letter first in the name', nameFrom: (fresh: string) => `A${fresh}` },
  'upper-case-inside': { phrase: 'an upper-case letter inside the name', nameFrom: (fresh: string) => `${fresh}Bc` },
  slash: { phrase: 'a slash in the name', nameFrom: (fresh: string) => `${fresh}/b` },
  at: { phrase: 'an at sign in the name', nameFrom: (fresh: string) => `${fresh}@b` },
  tab: { phrase: 'a tab in the name', nameFrom: (fresh: string) => `${fresh}\tb` },
  'non-ascii': { phrase: 'a non-ASCII letter in the name', nameFrom: (fresh: string) => `${fresh}é` },
  'wide-digit': { phrase: 'a full-width digit in the name', nameFrom: (fresh: string) => `${fresh}１` },
  'no-break-space': { phrase: 'a no-break space in the name', nameFrom: (fresh: string) => `${fresh}\u00a0b` },
  emoji: { phrase: 'an emoji in the name', nameFrom: (fresh: string) => `${fresh}😀` },
  'other-punctuation': { phrase: 'a plus sign in the name', nameFrom: (fresh: string) => `${fresh}+b` },
  'newline-at-end': { phrase: 'a newline at the end of the name', nameFrom: (fresh: string) => `${fresh}\n` },
  'newline-and-more': { phrase: 'a bad line after a good one in the name', nameFrom: (fresh: string) => `${fresh}\nX` },
  'newline-first': { phrase: 'a bad line before a good one in the name', nameFrom: (fresh: string) => `X\n${fresh}` },
  null: { phrase: 'null as the name', nameFrom: () => null },
}

/** Every printable ASCII character outside the rule, and some that are invisible or look like allowed ones. */
export const outsideCharacters = [
  ...'!"#$%&\'()*+,:;<=>?[\\]^`{|}~',
  ...['\u0000', '\u0001', '\r', '\u000b', '\u007f', '\u00ad', '\u0301', '\u200b', '\u2028', '\ufeff'],
  ...'ſKвªß',
]
