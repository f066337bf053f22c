import type { KindName } from '../../api/kinds.ts'
import { reservedWords } from '../../api/names.ts'
import { childrenOf, descendantsOf } from '../../arrange/scratch.ts'
import { orders } from '../../assertions/page-walk.ts'
import type { Driver } from '../driver.ts'
import { inParallel } from '../in-parallel.ts'

/** How many lists are sent at once. */
const atOnce = 8

/** Lists by names and scopes that nearly match, and by two names at once (R15, S4.10); returns how often. */
export async function askNearMisses(
  driver: Driver,
  scope: string,
  [name, other]: readonly [string, string],
  kinds: readonly KindName[],
): Promise<number> {
  const names = [
    name.slice(0, -1),
    name.slice(1),
    name.slice(2, -2),
    `${name}b`,
    name.toUpperCase(),
    `${name.slice(0, 4)}*`,
    '%',
    `${name} `,
  ]
  const last = scope.endsWith('0') ? '1' : '0'
  const scopes = [scope.slice(0, -1), `${scope}0`, scope.slice(0, -1) + last, scope.slice(0, -8), scope.toUpperCase()]
  const queries = [
    ...names.map((near) => ({ ...descendantsOf(driver.scope), name: near })),
    ...scopes.flatMap((near) => [descendantsOf(near), childrenOf(near)]),
  ]
  // only on groups is an exact match a must (R21)
  const loose = [...looseForms(name, other), ...reservedWords.slice(0, 3), '__proto__'].map((near, at) => ({
    ...(at % 3 === 0 ? childrenOf : descendantsOf)(driver.scope),
    name: near,
    order_by: orders[at % orders.length],
  }))
  const lists = [
    ...kinds.flatMap((kind) => queries.map((query) => ({ kind, query }))),
    ...loose.map((query) => ({ kind: 'groups' as const, query })),
  ]
  await inParallel(lists, atOnce, ({ kind, query }) => driver.list(kind, query))
  return lists.length
}

/** The same with fewer names and scopes, and no two names at once; returns how often. */
export async function askFewNearMisses(driver: Driver, scope: string, name: string): Promise<number> {
  const names = [name.slice(0, -1), name.toUpperCase(), `${name.slice(0, 4)}%`, `${name.slice(0, -1)}_`]
  const queries = [
    ...names.map((near, at) => ({ ...(at % 2 === 0 ? childrenOf : descendantsOf)(driver.scope), name: near })),
    ...[scope.slice(0, -1), `${scope}0`].flatMap((near) => [descendantsOf(near), childrenOf(near)]),
  ]
  await inParallel(queries, atOnce, (query) => driver.list('groups', query))
  return queries.length
}

/** Forms of a text: decoded once more, without accents or widths, or cut at a character that ends or divides a text. */
function looseForms(text: string, other: string): string[] {
  const middle = Math.floor(text.length / 2)
  const code = text.charCodeAt(middle)
  const hex = code.toString(16)
  const instead = (written: string) => text.slice(0, middle) + written + text.slice(middle + 1)
  const marked = (mark: string) => [...text].map((letter) => letter + mark).join('')
  const escapes = [`%${hex}`, `%25${hex}`, `\\u00${hex}`, `&#${code};`, `\\x${hex}`]
  return [
    ...escapes.map(instead),
    marked('\u0301'), marked('\u0301').normalize('NFC'), marked('\u00ad'), instead(String.fromCharCode(code + 0xfee0)),
    ...[',', ';', '|', ' ', ', ', '\n', '\u0000', '&name=', ' or ', ' and '].map((between) => text + between + other),
    `${other},`, `${text}\u0000`, `\u0000${text}`, `${text}\n`, `\t${text}`, `["${text}"]`, `'${text}'`, `!${other}`, `-${other}`, `not ${other}`, `^${text}$`, `${text}#`, `${text}?`,
  ] // biome-ignore format: a table
}
