/** Numbers as '1-3 7', ascending; duplicates are kept. */
export function rangesOf(numbers: readonly number[]): string {
  const ranges: [from: number, to: number][] = []
  for (const n of numbers.toSorted((a, b) => a - b)) {
    const last = ranges.at(-1)
    if (last && last[1] === n - 1) last[1] = n
    else ranges.push([n, n])
  }
  return ranges.map(([from, to]) => (from === to ? `${from}` : `${from}-${to}`)).join(' ')
}

/** The most numbers read from a text: a forged one may name billions. */
const most = 1_000_000

/** The numbers of such a text; undefined where it is not one. */
export function numbersIn(ranges: string): number[] | undefined {
  const numbers: number[] = []
  for (const range of ranges.split(' ').filter((each) => each !== '')) {
    const [, from = '', to = from] = /^(\d{1,15})(?:-(\d{1,15}))?$/.exec(range) ?? []
    if (from === '' || Number(to) - Number(from) + numbers.length > most) return undefined
    for (let n = Number(from); n <= Number(to); n++) numbers.push(n)
  }
  return numbers
}
