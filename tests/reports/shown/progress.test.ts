import { expect, test, vi } from 'vitest'
import { showProgress } from '../../../reports/formats/progress.ts'

test('progress is a bar on a terminal and plain lines elsewhere', () => {
  const shown = (isTTY: boolean, environment: NodeJS.ProcessEnv = {}) => {
    let text = ''
    const progress = showProgress({ isTTY, columns: 80, write: (more) => (text += more) }, environment)
    progress.collected?.(2)
    progress.ended?.('a', false)
    progress.ended?.('b', true)
    progress.clear()
    return text
  }

  expect(shown(false)).toBe('0/2\n2/2, 1 failed\n')
  expect(shown(true)).toContain('█ 2/2, 1 failed')
  for (const plain of [{ NO_COLOR: '1' }, { TERM: 'dumb' }]) expect(shown(true, plain)).toBe(shown(false))
  expect(shown(true, { NO_COLOR: '' })).toBe(shown(true))
})

test('progress names the case that a quiet run waits for', () => {
  vi.useFakeTimers()
  let text = ''
  const progress = showProgress({ write: (more) => (text += more) }, {})
  progress.collected?.(2)
  for (const id of ['list.a', 'list.b']) progress.began?.(id)
  vi.advanceTimersByTime(8_000)
  progress.ended?.('list.a', false)
  vi.advanceTimersByTime(12_000)
  progress.clear()
  vi.advanceTimersByTime(60_000)
  vi.useRealTimers()

  expect(text).toBe('0/2\n1/2, waiting for list.b\n1/2, waiting for list.b\n')
})

test('progress says what all cases wait for, at once and while it lasts', () => {
  vi.useFakeTimers()
  let text = ''
  const progress = showProgress({ write: (more) => (text += more) }, {})
  progress.collected?.(2)
  progress.began?.('list.a')
  progress.doing?.('deleting')
  vi.advanceTimersByTime(11_000)
  progress.doing?.('')
  vi.advanceTimersByTime(11_000)
  progress.clear()
  vi.useRealTimers()

  expect(text).toBe('0/2\n0/2, deleting\n0/2, deleting\n0/2\n0/2, waiting for list.a\n')
})
