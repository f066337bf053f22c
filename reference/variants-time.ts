import { type Replacement, type Variant, variant } from './replace.ts'

const minute = 60_000
const threeDays = 72 * 60 * minute

/** The Date header is written by something in front of the service, which has a clock of its own. */
const gateway: Replacement = (contract) => ({
  render(answer, at) {
    const { headers, ...rest } = contract.render(answer, at)
    return { ...rest, headers: { date: new Date().toUTCString(), ...headers } }
  },
})

/** Lawful ways to keep the time, and to have it moved. */
export const variantsOfTime: readonly Variant[] = [
  variant('the clock hook does not tell the time', () => ({ clockMoved: () => ({}) })),
  variant('the clock hook answers without a body', () => ({ clockMoved: () => undefined })),
  variant('the clock hook tells the time to the second', () => ({
    clockMoved: (now) => ({ now: now.replace(/\.\d+/, '') }),
  })),
  variant('Date comes from a gateway whose clock nobody moves', gateway),
  variant('neither the hook nor Date tells that the clock was moved', (contract) => ({
    ...gateway(contract),
    clockMoved: () => undefined,
  })),
  variant('page tokens are as old as the minute that they are issued in', () => ({
    expired: (issued, now) => now - Math.floor(issued / minute) * minute > threeDays,
  })),
  variant('page tokens live to the end of the minute', () => ({
    expired: (issued, now) => now - Math.ceil(issued / minute) * minute > threeDays,
  })),
]
