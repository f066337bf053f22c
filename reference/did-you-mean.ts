/** The one with this name; throws if there is none, and suggests the nearest. */
export function named<T extends { readonly name: string }>(word: string, all: readonly T[], name: string): T {
  const exact = all.find((one) => one.name === name)
  if (exact) return exact
  const nearest = [...all].sort((a, b) => distance(name, a.name) - distance(name, b.name))[0]
  const hint = nearest ? ` Did you mean '${nearest.name}'?` : ''
  throw new Error(`No ${word} is called '${name}'.${hint} To see all: serve --names`)
}

// Edit distance in which added letters cost little, so that a beginning finds the whole name.
function distance(asked: string, name: string): number {
  let row = Array.from({ length: name.length + 1 }, (_, column) => column * 0.1)
  for (const [line, letter] of [...asked].entries()) {
    const next = [line + 1]
    for (let column = 1; column <= name.length; column++) {
      const swap = row[column - 1]! + (letter === name[column - 1] ? 0 : 1)
      next.push(Math.min(swap, row[column]! + 1, next[column - 1]! + 0.1))
    }
    row = next
  }
  return row[name.length]!
}
