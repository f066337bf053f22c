import { Inconclusive } from '../http/case-errors.ts'
import { encoded } from '../http/url.ts'
import { type Kind, type KindName, kinds } from './kinds.ts'

/** Builds the paths of the API; decides once how to write the slashes of a uid (R48). */
export class Paths {
  /** True where the target takes `%2F` and refuses a plain slash. */
  encodesSlashes = false
  readonly #version: string

  constructor(version: string) {
    this.#version = version
  }

  /** The path of a kind's collection, or of one uid in it: the resource, or the parent of a new one. */
  of({ family, plural }: Pick<Kind, 'family' | 'plural'>, uid?: string, version = this.#version): string {
    const collection = `/${family}/${version}/${plural}`
    return uid === undefined ? collection : `${collection}/${this.#inPath(uid)}`
  }

  #inPath(uid: string): string {
    const segments = uid.split('/').map(encoded)
    return segments.join(this.encodesSlashes ? '%2F' : '/')
  }
}

/** The parameters that give a list its scope: all that is below a group, or what is right in it (S4.8, S4.9). */
export const scopeParameters = ['uidp.descendants_of', 'uidp.children_of'] as const

/** What a path names: a kind's collection, or with a uid one resource in it or the parent of a new one. */
export interface Place {
  kind: KindName
  /** As written in the path, such as `v1`. */
  version: string
  uid?: string
}

/** Reads a path; undefined where `Paths` does not build such paths. */
export function readPath(path: string): Place | undefined {
  const [, family, version = '', plural = '', rest] = /^\/([a-z]+)\/(v\w+)\/(\w+)(?:\/([^?#]+))?$/.exec(path) ?? []
  const kind = Object.hasOwn(kinds, plural) ? (plural as KindName) : undefined
  if (kind === undefined || kinds[kind].family !== family) return undefined
  try {
    return { kind, version, ...(rest !== undefined && { uid: decodeURIComponent(rest) }) }
  } catch {
    return undefined
  }
}

/** Of a uid that is written into a path, in characters: some servers refuse longer addresses. */
const longest = 2_000

/** URI Too Long and Request Header Fields Too Large: how deep groups may be nested is not shown (R56). */
export const tooLong: readonly number[] = [414, 431]

/** What may end a path, begin an escape or be cut off, where a gateway decodes a path twice. */
const misread = /[\\%?#;]|\p{C}|^\s|\s$|\.$/u

/**
 * True where no gateway can read a uid as another one: no empty segment, none that ends in a dot, and no character that
 * changes its meaning once decoded or normalized (a full-width dot or slash becomes a plain one).
 */
export function isCanonical(uid: string): boolean {
  const isPlain = (part: string) => part !== '' && !misread.test(part)
  return uid.length <= longest && uid.normalize('NFKC') === uid && uid.split('/').every(isPlain)
}

/** How many levels fit below a group in a uid that can be deleted, with segments as long as its last one. */
export const levelsBelow = (group: string) =>
  Math.floor((longest - group.length) / (group.length - group.lastIndexOf('/')))

/** Ends the case where what is made in a group could not be deleted. */
export function withRoomBelow(group: string): string {
  if (levelsBelow(group) > 0) return group
  throw new Inconclusive(`what is made in '${group}' could not be deleted: its uid may be too long`)
}

/** True where a group is or contains another one, whichever letter case a server compares. */
export function holds(group: string, uid: string): boolean {
  return `${uid}/`.toLowerCase().startsWith(`${group}/`.toLowerCase())
}
