// What the specs of a mutation call in place of their assertions. Which ones are switched is read from the environment.

/** The environment of a run without some assertions, or with the opposites of some, by their numbers. */
export function environmentOf(how: {
  without?: readonly number[]
  negated?: readonly number[]
}): Record<string, string> {
  return { MUTATION_WITHOUT: (how.without ?? []).join(), MUTATION_NEGATED: (how.negated ?? []).join() }
}

const isAmong = (list: string | undefined, number: number) => list?.split(',').includes(String(number)) ?? false
const isLeftOut = (number: number) => isAmong(process.env.MUTATION_WITHOUT, number)
const isNegated = (number: number) => isAmong(process.env.MUTATION_NEGATED, number)

/** Makes an assertion of a case. Left out, it does not fail; negated, it fails if, and only if, it holds. */
export function inCase(number: number, assert: () => unknown): unknown {
  if (isLeftOut(number)) return settled(assert, (value) => value)
  if (isNegated(number)) return settled(assert, itHeld)
  return assert()
}

/** What `everyAnswer` is asked, as far as it is switched. */
interface Asked {
  of: (answers: unknown) => { met: number; astray: unknown[] }
}

/** What is looked for in all answers of a run. Left out, no answer is wrong; negated, it fails if none is. */
export function overAllAnswers(number: number, asked: Asked): Asked {
  if (!isLeftOut(number) && !isNegated(number)) return asked
  const of: Asked['of'] = (answers) => {
    const { met, astray } = asked.of(answers)
    if (isNegated(number) && astray.length === 0) itHeld()
    return { met, astray: [] }
  }
  return { ...asked, of }
}

/** The value of an assertion, passed on by `passed`; nothing if it fails. Any other error is thrown as it is. */
function settled(assert: () => unknown, passed: (value: unknown) => unknown): unknown {
  try {
    const value = assert()
    return value instanceof Promise ? value.then(passed, goOn) : passed(value)
  } catch (error) {
    return goOn(error)
  }
}

function itHeld(): never {
  throw new Error('negated: it held')
}

function goOn(error: unknown): void {
  if ((error as Error | undefined)?.name !== 'AssertionError') throw error
}
