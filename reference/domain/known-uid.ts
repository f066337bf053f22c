import { createHash } from 'node:crypto'

/** So many digits that a text always gives: known names have known uids, so that two runs can be compared. */
export function hex(beginning: string, text: string, digits: number): string {
  return (beginning + createHash('sha1').update(text).digest('hex')).slice(0, digits)
}
