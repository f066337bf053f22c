/** Does something with each, so many at once. */
export async function inParallel<T>(
  all: readonly T[],
  width: number,
  work: (one: T) => Promise<unknown>,
): Promise<void> {
  const waiting = [...all]
  const worker = async () => {
    for (let one = waiting.shift(); one !== undefined; one = waiting.shift()) await work(one)
  }
  await Promise.all(Array.from({ length: width }, worker))
}
