/** Does something with each, up to `atOnce` at a time. */
export async function inParallel<T>(
  all: readonly T[],
  width: number,
  work: (one: T) => Promise<unknown>,
): Promise<void> {
  // shared by all workers: each takes the next
  const waiting = all.values()
  const worker = async () => {
    for (const one of waiting) await work(one)
  }
  await Promise.all(Array.from({ length: width }, worker))
}
