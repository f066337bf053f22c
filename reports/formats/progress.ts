import type { Progress } from '../judge/reporter.ts'
import { takesCodes } from '../text/terminal.ts'

/** Where progress is shown. */
export interface Screen {
  write(text: string): unknown
  isTTY?: boolean
  columns?: number
}

const everySeconds = 10

/** Shows how far a run is: a bar on a terminal, elsewhere a plain line every ten seconds. `clear` removes the bar. */
export function showProgress(screen: Screen, environment = process.env): Progress & { clear(): void } {
  const isTerminal = takesCodes(screen, environment)
  let total = 0
  let done = 0
  let bad = 0
  let saidAt = performance.now()
  const bar = () => {
    const width = Math.max(10, Math.min(40, (screen.columns ?? 80) - 40))
    const full = total === 0 ? 0 : Math.round((done / total) * width)
    screen.write(`\r\u001b[K${'█'.repeat(full)}${'░'.repeat(width - full)} ${state()}`)
  }
  const state = () => `${done}/${total}${bad > 0 ? `, ${bad} failed` : ''}`
  return {
    collected(count) {
      total += count
      screen.write(isTerminal ? '' : `0/${total}\n`)
    },
    ended(_id, failed) {
      done++
      if (failed) bad++
      if (isTerminal) bar()
      else if (done === total || performance.now() - saidAt > everySeconds * 1000) {
        saidAt = performance.now()
        screen.write(`${state()}\n`)
      }
    },
    failed(count) {
      bad = count
    },
    clear() {
      if (isTerminal) screen.write('\r\u001b[K')
    },
  }
}
