/** How a list is made shorter. */
export interface Shrinking<T> {
  /** What is left of a part that can be tried: what refers to something that was taken out goes with it. */
  whole(part: readonly T[]): T[]
  /** Whether a part still shows what the whole shows. */
  shows(part: readonly T[]): Promise<boolean>
  /** True where no further part is tried. */
  isOver(): boolean
}

/**
 * The shortest part that was found to show what the whole shows: halves, quarters and so on are taken out as long as the
 * rest shows it, at last single items until none can be spared (delta debugging, ddmin).
 */
export async function shrunk<T>(all: readonly T[], { whole, shows, isOver }: Shrinking<T>): Promise<T[]> {
  let kept = [...all]
  let size = Math.max(1, Math.floor(kept.length / 2))
  for (;;) {
    let removed = 0
    // what is behind refers to what is before
    for (let end = kept.length; end > 0 && !isOver(); end -= size) {
      const rest = whole([...kept.slice(0, Math.max(0, end - size)), ...kept.slice(end)])
      if (rest.length === 0 || rest.length === kept.length || !(await shows(rest))) continue
      removed += kept.length - rest.length
      kept = rest
    }
    if (isOver() || (size === 1 && removed === 0)) return kept
    size = Math.max(1, Math.min(Math.floor(size / 2), Math.floor(kept.length / 2)))
  }
}
