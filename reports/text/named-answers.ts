import type { Exchange } from '../../schemas/types.ts'

/** What a failure says about several answers: the words, and what was asked for each. */
export function namedAnswers(note = ''): { about: string; names: readonly string[] } {
  const [, about = note, list] = /^([^[]*): (\["[\s\S]*"\])$/.exec(note) ?? []
  try {
    return { about, names: list === undefined ? [] : (JSON.parse(list) as string[]) }
  } catch {
    return { about: note, names: [] }
  }
}

/** The name that some words about a difference begin with. */
export const nameIn = (words: string, names: readonly string[]): string | undefined =>
  names
    .filter((name) => words.startsWith(`${name}: `) || words.startsWith(`${name} /`))
    .sort((a, b) => b.length - a.length)[0]

/** The last call that a name describes by its query or body: of several, the one with the fewest other parameters. */
export function callWith(asked: string, calls: readonly Exchange[]): Exchange | undefined {
  const isSet = ({ searchParams }: URL, pair: string) => {
    const [, name = '', value] = /^(?:no )?([^=]*)(?:=([\s\S]*))?$/.exec(pair) ?? []
    return pair.startsWith('no ') ? !searchParams.has(name) : value !== undefined && searchParams.get(name) === value
  }
  const having = calls.filter(({ operation, request: { url, body } }) =>
    operation.endsWith('.list')
      ? asked.split('&').every((pair) => isSet(new URL(url), pair))
      : body !== undefined && asked === `the body ${body}`,
  )
  return having.toReversed().sort((a, b) => a.request.url.length - b.request.url.length)[0]
}
