/** A number with its noun: `1 claim`, `2 claims`. */
export function counted(count: number, noun: string): string {
  return `${count} ${noun}${count === 1 ? '' : 's'}`
}
