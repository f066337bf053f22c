/** What was expected and what came, reduced to where they differ. */
export interface Difference {
  expected: string
  got: string
}

/** How many members are named one by one. */
const mostMembers = 6

/** Only the members of two values that differ, each with its path; undefined if the texts hold no such values. */
export function difference(expected: string, got: string): Difference | undefined {
  const [wanted, came] = [parsed(expected), parsed(got)]
  if (!isStructured(wanted) || !isStructured(came) || (isTuple(wanted) && isTuple(came))) return undefined
  const found = [...differing(wanted, came, '')]
  if (found.length === 0) return undefined
  const shown = found.slice(0, mostMembers)
  const more = found.length > shown.length ? `, and ${found.length - shown.length} more` : ''
  const side = (at: 1 | 2) => shown.map((one) => `${one[0]} ${one[at]}`.trimStart()).join(', ') + more
  return { expected: side(1), got: side(2) }
}

type Found = [path: string, wanted: string, came: string]

function* differing(wanted: unknown, came: unknown, path: string): Generator<Found> {
  if (JSON.stringify(wanted) === JSON.stringify(came)) return
  if (Array.isArray(wanted) && Array.isArray(came)) yield* inLists(wanted, came, path)
  else if (isRecord(wanted) && isRecord(came)) {
    for (const name of new Set([...Object.keys(wanted), ...Object.keys(came)]))
      yield* differing(wanted[name], came[name], `${path}/${name}`)
  } else yield [path, shown(wanted), shown(came)]
}

/** For lists: what is missing and what is too much; otherwise the first item out of order. */
function* inLists(wanted: readonly unknown[], came: readonly unknown[], path: string): Generator<Found> {
  const [missing, extra] = [without(wanted, came), without(came, wanted)]
  if (wanted.length === came.length && missing.length === extra.length && missing.length > 0) {
    for (const [index, item] of wanted.entries()) yield* differing(item, came[index], `${path}/${index}`)
  } else if (missing.length + extra.length > 0) {
    const size = (list: readonly unknown[]) =>
      `${list.length === 0 ? 'no' : list.length} item${list.length === 1 ? '' : 's'}`
    const but = [some('without', missing), some('with', extra)].filter((words) => words !== '').join(' and ')
    yield [path, size(wanted), `${size(came)}, ${but}`]
  } else {
    const index = wanted.findIndex((item, at) => JSON.stringify(item) !== JSON.stringify(came[at]))
    yield [`${path}/${index}`, shown(wanted[index]), `${shown(came[index])} (the same items in another order)`]
  }
}

function without(items: readonly unknown[], others: readonly unknown[]): unknown[] {
  const left = others.map((other) => JSON.stringify(other))
  return items.filter((item) => {
    const at = left.indexOf(JSON.stringify(item))
    if (at >= 0) left.splice(at, 1)
    return at < 0
  })
}

function some(word: string, items: readonly unknown[]): string {
  if (items.length === 0) return ''
  const more = items.length > 3 ? ` and ${items.length - 3} more` : ''
  return `${word} ${items.slice(0, 3).map(shown).join(', ')}${more}`
}

function shown(value: unknown): string {
  if (value === undefined || value === absent) return 'nothing'
  const text = JSON.stringify(value)
  return text.length > 120 ? `${text.slice(0, 120)}…` : text
}

const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
/** A few plain values, which are clearer as a whole than by their numbers. */
const isTuple = (value: unknown) => Array.isArray(value) && value.length <= 4 && !value.some(isStructured)
const isStructured = (value: unknown) => typeof value === 'object' && value !== null

const absent = '\u0000absent'

/** A value from the runner's rendering of it: JSON, except for trailing commas and absent members. */
function parsed(text: string): unknown {
  const strings = /"(?:[^"\\]|\\.)*"/g
  const parts = text.split(strings)
  const quoted = text.match(strings) ?? []
  const json = parts
    .map((part, at) => {
      const plain = part
        .replace(/,(\s*[}\]])/g, '$1')
        .replace(/\bundefined\b/g, JSON.stringify(absent))
        .replace(/\b(NaN|-?Infinity)\b/g, '"$1"')
      return plain + (quoted[at] ?? '')
    })
    .join('')
  try {
    return JSON.parse(json)
  } catch {
    return undefined
  }
}
