import { instant } from '../api/instant.ts'
import type { Names } from '../api/names.ts'
import type { Page, Received } from '../api/received.ts'
import { violated } from '../assertions/violation.ts'
import { descriptionOf, type Grown, nameOf, runGroup } from './tree.ts'

/** Who plays whom in one telling of a story: the groups behind its letters, the names behind its words. */
export class ModelMapping {
  readonly #scratch: Received
  readonly #names: Names
  /** What Create answered, by letter, deleted groups included. */
  readonly #made = new Map<string, Received>()
  /** The latest updateTime that was seen, by letter, in milliseconds since 1970. */
  readonly #updated = new Map<string, number>()
  readonly #given = new Map<string, string>()

  constructor(scratch: Received, names: Names) {
    this.#scratch = scratch
    this.#names = names
  }

  /** From now on a letter stands for this group. */
  enters(label: string, made: Received): void {
    this.#made.set(label, made)
  }

  uid(label: string): string {
    return label === runGroup ? this.#scratch.uid : this.#made.get(label)!.uid
  }

  /** The name that a word of the story stands for; never used before its first use. */
  name(word: string): string {
    const given = this.#given.get(word) ?? this.#names.fresh() + word
    this.#given.set(word, given)
    return given
  }

  /** Fails unless a resource is the group as the story left it (S4.26 to S4.28, R26). */
  fits(got: Received, grown: Grown, where: string): void {
    const { label } = grown
    const wrong = (member: string, expected: unknown, came: unknown) =>
      violated({ message: `${where} shows another ${member}`, expected, got: came })
    if (got.uid !== this.uid(label)) wrong('group', label, this.#labelOf(got))
    const name = nameOf(grown)
    if (got.name !== this.name(name)) wrong('name', `${label} named ${name}`, this.#wordOf(got.name))
    if ((got.description ?? '') !== descriptionOf(grown))
      wrong('description', `${label} with '${descriptionOf(grown)}'`, got.description)
    const { createTime } = this.#made.get(label)!
    if (instant(got.createTime) !== instant(createTime)) wrong('createTime', createTime, got.createTime)
    const updated = this.#updated.get(label) ?? Number.NEGATIVE_INFINITY
    if (instant(got.updateTime) < updated)
      wrong('updateTime', `none before ${new Date(updated).toISOString()}`, got.updateTime)
    this.#updated.set(label, instant(got.updateTime))
  }

  /** Fails unless a list holds these groups, each once and as the story left them, and counts them (S4.18, S4.25). */
  holds({ items, totalCount }: Pick<Page, 'items' | 'totalCount'>, groups: readonly Grown[], where: string) {
    const expected = listed(groups.map(({ label }) => label))
    const got = listed(items.map((item) => this.#labelOf(item)))
    const fail = (what: string) => violated({ message: `${where} ${what}`, expected, got })
    const wanted = new Map(groups.map((grown) => [this.uid(grown.label), grown]))
    if (items.some(({ uid }) => !wanted.has(uid))) fail('shows a group that does not belong there')
    if (new Set(items.map(({ uid }) => uid)).size < items.length) fail('shows a group twice')
    if (items.length < groups.length) fail('lacks a group')
    // an empty list may leave its total out (R13)
    if (totalCount !== String(groups.length) && (groups.length > 0 || (totalCount ?? '0') !== '0'))
      violated({
        message: `${where} counts otherwise`,
        expected: `a total of ${groups.length}`,
        got: totalCount,
      })
    for (const item of items) this.fits(item, wanted.get(item.uid)!, where)
  }

  #labelOf({ uid, name }: Received): string {
    if (uid === this.#scratch.uid) return 'the scratch group'
    const known = [...this.#made].find(([, made]) => made.uid === uid)
    return known ? known[0] : `'${String(name)}' (${uid})`
  }

  #wordOf(name: unknown): string {
    const known = [...this.#given].find(([, given]) => given === name)
    return known ? known[0] : (JSON.stringify(name) ?? 'none')
  }
}

function listed(labels: readonly string[]): string {
  return labels.length === 0 ? 'nothing' : [...labels].sort().join(', ')
}
