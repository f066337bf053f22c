import { createHash } from 'node:crypto'
import type { Requirement } from '../../schemas/types.ts'
import { lasting } from './replay.ts'

/**
 * What a failure looks like in every run, whatever its names, uids, numbers and times: sixteen hexadecimal digits. Drawn
 * inputs may lead to another failure: runs that are to be compared share their seed.
 */
export function fingerprintOf({ outcome, note = '', expected, got, where = '', steps }: Requirement): string {
  // a story that goes wrong is another one with each seed
  const said = steps ? ['a story'] : expected === undefined && got === undefined ? [note] : [expected, got]
  const place = where.startsWith('/') ? where.replace(/\d+/g, '…') : formOf(where.replace(/:\d+$/, ''))
  const form = [outcome, place, ...said.map((text = '') => formOf(text))].join('\n')
  return createHash('sha256').update(form).digest('hex').slice(0, 16)
}

/** A text without what is drawn or counted anew in each run. */
function formOf(text: string): string {
  // of a body that came instead of something else, only that one came
  const [, told = text] = /^([^{]{4,}\{)/.exec(text) ?? []
  return (
    lasting(told)
      .replace(/"(?:[^"\\]|\\.)*"(\s*:)?/g, (quoted, isName) => (isName === undefined ? '…' : quoted))
      .replace(/(?<![\w…])'(?:[^'\\]|\\.)*'(?![\w…])/g, '…')
      .replace(/\b(?:answered|status|HTTP) \d{3}\b|-?\d+(\.\d+)?/gi, (found) => (/^[a-z]/i.test(found) ? found : '…'))
      // how many there are of the same kind is a matter of the draw, too
      .replace(/…(?:[\s,|]*…)+/g, '…')
  )
}
