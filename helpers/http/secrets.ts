/** The values that must never be shown, each with the name that stands in its place. */
export class Secrets {
  #names = new Map<string, string>()
  #sorted: { longestFirst: [value: string, name: string][]; beginnings: string[] } | undefined

  /** From now on `value` is shown as `name`; values too short to be a secret are left alone. */
  hide(value: string, name: string): void {
    if (value.length < 6) return
    for (const form of [value, encodeURIComponent(value), JSON.stringify(value).slice(1, -1)]) {
      this.#names.set(form, name)
    }
    this.#sorted = undefined
  }

  redact(text: string): string {
    const { longestFirst, beginnings } = this.#order()
    // of the many tokens that begin alike none is looked for where that beginning is not
    const present = beginnings.filter((beginning) => text.includes(beginning))
    if (present.length === 0) return text
    return longestFirst
      .filter(([value]) => present.includes(beginningOf(value)))
      .reduce((shown, [value, name]) => shown.replaceAll(value, name), text)
  }

  #order() {
    if (this.#sorted) return this.#sorted
    const longestFirst = [...this.#names].sort(([a], [b]) => b.length - a.length)
    const beginnings = [...new Set([...this.#names.keys()].map(beginningOf))]
    this.#sorted = { longestFirst, beginnings }
    return this.#sorted
  }
}

const beginningOf = (secret: string) => secret.slice(0, 8)
