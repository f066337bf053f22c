import type { Kind } from './kinds.ts'

/** Builds the paths of the API; how the slashes of a uid stand in them is settled once (R48). */
export class Paths {
  /** True where the target takes `%2F` and refuses the slash itself. */
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
    const segments = uid.split('/').map(encodeURIComponent)
    return segments.join(this.encodesSlashes ? '%2F' : '/')
  }
}
