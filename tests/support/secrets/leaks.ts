import { codings } from './codings.ts'

/** What sixteen characters become at the least in a coding. */
const runOf = (code: (text: string) => string) => {
  const coded = code('0123456789abcdef')
  return coded.length === 16 || coded.includes('0123456789abcdef') ? 16 : coded.replace(/=+$/, '').length - 1
}

const slots = 1 << 22
const slotOf = (text: string, at: number) => {
  let hash = 0
  for (let index = at; index < at + 8; index++) hash = Math.imul(hash, 31) + text.charCodeAt(index)
  return hash & (slots - 1)
}

/** Each place in texts that shows sixteen characters and more of a secret, in any coding: once for each coding and text. */
export function leaksOf(secrets: string[], texts: { name: string; text: string }[]): string[] {
  const runs = new Map<number, Map<string, string>>()
  const begins = new Uint8Array(slots)
  for (const [name, code] of Object.entries(codings)) {
    const length = runOf(code)
    const ofLength = runs.get(length) ?? runs.set(length, new Map()).get(length)!
    for (const secret of secrets) {
      const coded = code(secret)
      for (let at = 0; at + length <= coded.length; at++) {
        ofLength.set(coded.slice(at, at + length), name)
        begins[slotOf(coded, at)] = 1
      }
    }
  }
  return texts.flatMap(({ name, text }) => {
    const found = new Map<string, string>()
    for (let at = 0; at + 16 <= text.length; at++) {
      if (begins[slotOf(text, at)] === 0) continue
      for (const [length, ofLength] of runs) {
        const coding = ofLength.get(text.slice(at, at + length))
        if (coding !== undefined && !found.has(coding)) found.set(coding, text.slice(at - 60, at + length))
      }
    }
    return [...found].map(([coding, run]) => `${name} shows a secret ${coding}: …${run}`)
  })
}
