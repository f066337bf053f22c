import { takesCodes } from '../text/terminal.ts'
import type { Screen } from './progress.ts'

/** How far an exploration is. */
export interface Explored {
  commands: number
  states: number
  combinations: number
  histories: number
  /** How many resources the target holds for it. */
  made: number
  found: number
  /** How long it goes on, in milliseconds; undefined if only a finding ends it. */
  leftMs: number | undefined
  /** What is being shrunk, and how many calls it still takes. */
  shrinking?: { row: string; calls: number } | undefined
}

/** How often a line is written, in milliseconds: one that changes on a terminal, a plain one elsewhere. */
const [often, seldom] = [100, 10_000]

/** Shows how far an exploration is: one line that changes on a terminal, elsewhere a line every ten seconds. */
export function showExploring(screen: Screen, environment = process.env, now = () => performance.now()) {
  const isTerminal = takesCodes(screen, environment)
  let saidAt = now()
  return {
    changed(state: () => Explored) {
      if (now() - saidAt < (isTerminal ? often : seldom)) return
      saidAt = now()
      const text = inWords(state())
      screen.write(isTerminal ? `\r\u001b[K${text.slice(0, (screen.columns ?? 80) - 1)}` : `${text}\n`)
    },
    clear() {
      if (isTerminal) screen.write('\r\u001b[K')
    },
  }
}

function inWords({ commands, states, combinations, histories, made, found, leftMs, shrinking }: Explored): string {
  return [
    shrinking === undefined ? `history ${histories}` : `${shrinking.row}: shrunk to ${shrinking.calls} calls`,
    `found ${found}`,
    ...(leftMs === undefined ? [] : [`${durationOf(leftMs)} left`]),
    `${commands} commands`,
    `${states} states`,
    `${combinations} combinations`,
    `${made} made`,
  ].join(' · ')
}

function durationOf(ms: number): string {
  const seconds = Math.max(0, Math.round(ms / 1000))
  return seconds < 60 ? `${seconds} s` : `${Math.floor(seconds / 60)} min ${seconds % 60} s`
}
