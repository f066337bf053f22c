import type { Assertion } from './assertions.ts'

/** Why an assertion is kept that no fault misses; nothing where no reason is known. */
export function whyKept(_assertion: Assertion): string | undefined {
  return undefined
}
