/** One of several that proceed together: it awaits `next` wherever all of them must arrive. */
export type Participant<T> = (next: () => Promise<void>) => Promise<T>

/**
 * Runs all of them side by side. Between their steps nothing is under way: when each awaits `next`, or has ended, the
 * next of the `moves` is made, once, and then all continue. A move that fails fails all that await it.
 */
export async function inLockstep<T extends readonly unknown[]>(
  participants: { [K in keyof T]: Participant<T[K]> },
  moves: readonly (() => Promise<unknown>)[],
): Promise<T> {
  let [taking, made] = [participants.length, 0]
  const waiting: ((moved: Promise<unknown>) => void)[] = []
  const moveOn = () => {
    if (waiting.length === 0 || waiting.length < taking) return
    const moved = moves[made++]!()
    for (const go of waiting.splice(0)) go(moved)
  }
  const next = () =>
    new Promise<void>((resolve, reject) => {
      waiting.push((moved) => void moved.then(() => resolve(), reject))
      moveOn()
    })
  const results = participants.map(async (participant) => {
    try {
      return await participant(next)
    } finally {
      taking--
      moveOn()
    }
  })
  return Promise.all(results) as Promise<unknown> as Promise<T>
}
