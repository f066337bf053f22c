import { on, type Replacement } from '../replace.ts'

/** A name as a pattern of SQL's LIKE. */
export const like = (pattern: string) =>
  new RegExp(
    `^${pattern
      .replace(/[.*+?^${}()|[\]\\]/g, '\\$&')
      .replaceAll('%', '.*')
      .replaceAll('_', '.')}$`,
    's',
  )

/** A text with one blank wherever it has white space. */
export const collapsed = (text: string) => text.replace(/\s+/g, ' ')

/** Groups whose names must match another pattern; null and other types stay refused. */
export const namePattern = (right: RegExp): Replacement =>
  on('groups', {
    nameProblem: (name) => (typeof name === 'string' && right.test(name) ? undefined : 'a name is not as it should be'),
  })
