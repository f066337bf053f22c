import { type Variant, variant } from '../fault.ts'
import type { Replacement } from '../replace.ts'
import { undated } from './products/wire.ts'

/** The Date header is written by a gateway with a clock of its own. */
const gateway: Replacement = (contract) => ({
  render(answer, at) {
    const { headers, ...rest } = contract.render(answer, at)
    return { ...rest, headers: { date: new Date().toUTCString(), ...headers } }
  },
})

/** Lawful clocks, timestamps, and hooks that move the clock. */
export const timeVariants: readonly Variant[] = [
  variant('a fraction that is zero is left out', () => ({
    timestamp: (milliseconds) => new Date(milliseconds).toISOString().replace(/\.?0+Z$/, 'Z'),
  })),
  variant(
    'times are written with an offset',
    () => ({ timestamp: (milliseconds) => new Date(milliseconds).toISOString().replace('Z', '+00:00') }),
    ['time.form'],
  ),
  variant(
    'times have six digits, three of them zero',
    () => ({ timestamp: (milliseconds) => new Date(milliseconds).toISOString().replace('Z', '000Z') }),
    ['time.form'],
  ),
  variant('the clock is ten minutes slow', () => ({
    timestamp: (milliseconds) => new Date(milliseconds - 10 * 60_000).toISOString(),
  })),
  variant('no two things are made at one moment', ({ born }) => {
    let last = 0
    return {
      born(now, at) {
        last = Math.max(now, last + 1)
        return born(last, at)
      },
    }
  }),
  variant('the clock hook does not give the time', () => ({ clockMoved: () => ({}) })),
  variant('the clock hook answers without a body', () => ({ clockMoved: () => undefined })),
  variant('the clock hook gives the time to the second', () => ({
    clockMoved: (now) => ({ now: now.replace(/\.\d+/, '') }),
  })),
  variant('Date comes from a gateway whose clock nobody moves', gateway),
  variant('neither the hook nor Date shows that the clock was moved', (contract) => ({
    ...gateway(contract),
    clockMoved: () => undefined,
  })),
  variant('neither the hook nor a Date gives the time, and what is made does', (contract) => ({
    ...undated(contract),
    clockMoved: () => undefined,
  })),
  variant('zeros at the end of a fraction are left out, and the clock is fifteen minutes fast', () => ({
    timestamp: (milliseconds) => new Date(milliseconds + 15 * 60_000).toISOString().replace(/\.?0+Z$/, 'Z'),
  })),
  variant('times have two digits, which are hundredths', () => ({
    timestamp: (milliseconds) => new Date(milliseconds).toISOString().replace(/\dZ$/, 'Z'),
  })),
  variant('times have one digit, which is tenths', () => ({
    timestamp: (milliseconds) => new Date(milliseconds).toISOString().replace(/\d\dZ$/, 'Z'),
  })),
  // what is shown is rounded down, so that it never goes back (R26)
  variant('times go in steps of 0, 3 and 7 milliseconds', () => ({
    timestamp: (milliseconds) =>
      new Date(milliseconds).toISOString().replace(/\dZ$/, (end) => `${end < '3' ? 0 : end < '7' ? 3 : 7}Z`),
  })),
]
