import { counted } from '../../schemas/counted.ts'

/** What was expected and what came, reduced to where they differ. */
export interface Difference {
  expected: string
  got: string
}

/** How many members are named one by one. */
const mostMembers = 4

/**
 * Only the members of two values that differ, each with its path; undefined if the texts hold no such values. `names` are
 * those of the items, if they have any.
 */
export function difference(expected: string, got: string, names: readonly string[] = []): Difference | undefined {
  const isPart = /^a match of |\bat least (?=[{[])/
  const [wanted, came] = [parsed(expected.replace(isPart, '').replaceAll(/\bat least (?=[{[])/g, '')), parsed(got)]
  if (!isStructured(wanted) || !isStructured(came)) return undefined
  const partly = isPart.test(expected)
  const items = namedItems(wanted, came, names)
  if (items.length === 0 && isPlain(wanted) && isPlain(came)) return undefined
  const found =
    items.length > 0
      ? items.flatMap(([name, one, other]) => [...differing(one, other, { path: `${name} `, partly })])
      : [...differing(wanted, came, { path: '', partly })]
  if (found.length === 0) return undefined
  const shown = found.slice(0, mostMembers)
  const more = found.length > shown.length ? `, and ${found.length - shown.length} more` : ''
  const side = (at: 1 | 2) => shown.map((one) => `${one[0] && `${one[0].trim()}: `}${one[at]}`).join(', ') + more
  return { expected: side(1), got: side(2) }
}

/** The items of two lists side by side, if each has a name. */
function namedItems(wanted: unknown, came: unknown, names: readonly string[]): [string, unknown, unknown][] {
  const lists = [wanted, came].filter((value): value is unknown[] => Array.isArray(value))
  if (lists.length < 2 || lists.some(({ length }) => length !== names.length)) return []
  return names.map((name, index) => [name, lists[0]![index], lists[1]![index]])
}

type Found = [path: string, wanted: string, came: string]

/** Where two values are; `partly`: further members of an object that came are no difference. */
interface Place {
  path: string
  partly: boolean
}

function* differing(wanted: unknown, came: unknown, place: Place): Generator<Found> {
  if (JSON.stringify(wanted) === JSON.stringify(came) || isLike(wanted, came)) return
  if (Array.isArray(wanted) && Array.isArray(came)) yield* inLists(wanted, came, place)
  else if (isRecord(wanted) && isRecord(came)) {
    const names = place.partly ? Object.keys(wanted) : [...Object.keys(wanted), ...Object.keys(came)]
    // nobody expects that a detail has no type
    const asked = [...new Set(names)].filter((name) => name !== '@type' || name in wanted)
    for (const name of asked) yield* differing(wanted[name], came[name], below(place, name))
  } else yield [place.path, shown(wanted), shown(came)]
}

const below = ({ path, partly }: Place, name: string | number): Place => ({ path: `${path}/${name}`, partly })

/** For lists: what is missing and what is too much; otherwise the first item out of order. */
function* inLists(wanted: readonly unknown[], came: readonly unknown[], place: Place): Generator<Found> {
  const [missing, extra] = [without(wanted, came), without(came, wanted)]
  const isPlainly = [...wanted, ...came].every((item) => !isStructured(item) && !isForm(item))
  if (isPlainly && missing.length > mostMembers && missing.length === wanted.length && extra.length === came.length) {
    const first = (items: readonly unknown[]) => some('', items).trim() || 'no items'
    yield [place.path, first(wanted), `${first(came)}, none of them expected`]
  } else if (wanted.length === came.length && missing.length === extra.length && missing.length > 0) {
    for (const [index, item] of wanted.entries()) yield* differing(item, came[index], below(place, index))
  } else if (missing.length + extra.length > 0) {
    const size = ({ length }: readonly unknown[]) => (length === 0 ? 'no items' : counted(length, 'item'))
    const more = missing.length === 0 ? extra.map(inBrief) : extra
    const but = [some('without', missing), some('with', more)].filter((words) => words !== '').join(' and ')
    yield [place.path, size(wanted), `${size(came)}, ${but}`]
  } else {
    const index = wanted.findIndex((item, at) => JSON.stringify(item) !== JSON.stringify(came[at]))
    yield [below(place, index).path, shown(wanted[index]), `${shown(came[index])} (the same items in another order)`]
  }
}

/** A resource by its uid and name; anything else as it is. */
function inBrief(item: unknown): unknown {
  if (!isRecord(item) || typeof item.uid !== 'string') return item
  return { uid: item.uid, ...(item.name !== undefined && { name: item.name }) }
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
  if (isForm(value)) return value.slice(form.length)
  const text = JSON.stringify(value, inShort)
  return text.length > 120 ? `${text.slice(0, 120)}…` : text
}

/** A list inside a value, by its first items. */
const inShort = (_: string, value: unknown) =>
  Array.isArray(value) && value.length > 3 ? [...value.slice(0, 2), `… and ${value.length - 2} more`] : value

const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
/** A few plain values, or nothing, which are clearer as a whole than by their numbers. */
const isPlain = (value: unknown) => Array.isArray(value) && value.length <= 4 && !value.some(isStructured)
const isStructured = (value: unknown) => typeof value === 'object' && value !== null

const absent = '\u0000absent'
/** Begins the words for whatever has some form. */
const form = '\u0000form '
const isForm = (value: unknown): value is string => typeof value === 'string' && value.startsWith(form)

/** True for a value of the form that was expected. */
function isLike(wanted: unknown, came: unknown): boolean {
  if (!isForm(wanted)) return false
  const [, pattern] = /^a text like \/(.*)\/$/.exec(wanted.slice(form.length)) ?? []
  if (pattern === undefined) return wanted === `${form}any ${typeof came}`
  return typeof came === 'string' && new RegExp(pattern).test(came)
}

/** A value from the runner's rendering of it: JSON, except for trailing commas, absent members and forms. */
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
        .replace(/\bAny<(\w+)>/g, (_, type: string) => JSON.stringify(`${form}any ${type.toLowerCase()}`))
        .replace(/\ba text like \/(?:[^/\\]|\\.)*\//g, (words) => JSON.stringify(form + words))
      return plain + (quoted[at] ?? '')
    })
    .join('')
  try {
    return JSON.parse(json)
  } catch {
    return undefined
  }
}
