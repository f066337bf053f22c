import type { Progress } from '../judge/reporter.ts'
import { takesCodes } from '../text/terminal.ts'

/** Where progress is shown. */
export interface Screen {
  write(text: string): unknown
  isTTY?: boolean
  columns?: number
}

const everySeconds = 10

/**
 * Shows how far a run is: a bar on a terminal, elsewhere a plain line every ten seconds. Where no case ends for so long,
 * it says what all wait for, or names the case that has gone on for longest. `clear` ends it, and removes the bar.
 */
export function showProgress(screen: Screen, environment = process.env): Progress & { clear(): void } {
  const isTerminal = takesCodes(screen, environment)
  let total = 0
  let done = 0
  let bad = 0
  let saidAt = performance.now()
  let awaited = ''
  const running = new Set<string>()
  const bar = (more = '') => {
    const width = Math.max(10, Math.min(40, (screen.columns ?? 80) - 40))
    const full = total === 0 ? 0 : Math.round((done / total) * width)
    screen.write(`\r\u001b[K${'█'.repeat(full)}${'░'.repeat(width - full)} ${state()}${more}`)
  }
  const say = (more = '') => {
    saidAt = performance.now()
    if (isTerminal) bar(more)
    else screen.write(`${state()}${more}\n`)
  }
  const isQuiet = () => performance.now() - saidAt >= everySeconds * 1000
  const waiting = setInterval(() => {
    const [first] = running
    if (!isQuiet()) return
    if (awaited !== '') say(`, ${awaited}`)
    else if (first !== undefined) say(`, waiting for ${first}`)
  }, 1_000).unref()
  const state = () => `${done}/${total}${bad > 0 ? `, ${bad} failed` : ''}`
  return {
    collected(count) {
      total += count
      screen.write(isTerminal ? '' : `0/${total}\n`)
    },
    doing(what) {
      awaited = what
      say(what && `, ${what}`)
    },
    began: (id) => void running.add(id),
    ended(id, failed) {
      running.delete(id)
      done++
      if (failed) bad++
      if (isTerminal || done === total || isQuiet()) say()
    },
    failed(count) {
      bad = count
    },
    clear() {
      clearInterval(waiting)
      if (isTerminal) screen.write('\r\u001b[K')
    },
  }
}
