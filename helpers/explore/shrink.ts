/** How to shrink a list. */
export interface Shrinking<T> {
  /** The part that can be tried: without what refers to removed items. */
  whole(part: readonly T[]): T[]
  /** Whether a part still shows what the whole shows. */
  shows(part: readonly T[]): Promise<boolean>
  /** True where no more parts may be tried. */
  isOver(): boolean
}

/**
 * The shortest part found that shows what the whole shows: halves, quarters and so on are removed while the rest still
 * shows it, in the end single items until each is needed (delta debugging, ddmin).
 */
export async function shrunk<T>(all: readonly T[], { whole, shows, isOver }: Shrinking<T>): Promise<T[]> {
  let kept = [...all]
  let size = Math.max(1, Math.floor(kept.length / 2))
  for (;;) {
    let removed = 0
    // later items refer to earlier ones
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
