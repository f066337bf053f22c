import { createHash } from 'node:crypto'

/** So many hexadecimal digits that depend only on a text: equal names get equal uids, so two runs can be compared. */
export function hex(beginning: string, text: string, digits: number): string {
  return (beginning + createHash('sha1').update(text).digest('hex')).slice(0, digits)
}
