import type { KindName } from '../../api/kinds.ts'

/** What counts as the target's own, because nobody had sent it (R50); meanwhile the flag of its kind is set. */
export class OwnThings {
  readonly #flags: Set<string>
  readonly #texts = new Map<KindName, (readonly unknown[])[]>()

  constructor(flags: Set<string>) {
    this.#flags = flags
  }

  /** Takes something in, by the texts it shows. */
  note(kind: KindName, texts: readonly unknown[]): void {
    this.#texts.set(kind, [...(this.#texts.get(kind) ?? []), texts])
    this.#flags.add(`own ${kind}`)
  }

  /** A call under way had sent such a text, and has been refused since (R29). */
  explain(kind: KindName, text: string): void {
    const left = this.#texts.get(kind)?.filter((texts) => !texts.includes(text))
    if (left === undefined) return
    this.#texts.set(kind, left)
    if (left.length === 0) this.#flags.delete(`own ${kind}`)
  }
}
