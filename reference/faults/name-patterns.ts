import { on, type Replacement } from '../replace.ts'

/** A pattern as a database reads it. */
export const like = (pattern: string) =>
  new RegExp(
    `^${pattern
      .replace(/[.*+?^${}()|[\]\\]/g, '\\$&')
      .replaceAll('%', '.*')
      .replaceAll('_', '.')}$`,
    's',
  )

/** Groups whose names are held against another pattern; null and what is no text stay refused. */
export const namePattern = (right: RegExp): Replacement =>
  on('groups', {
    nameProblem: (name) => (typeof name === 'string' && right.test(name) ? undefined : 'a name is not as it should be'),
  })
