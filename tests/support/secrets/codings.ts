type Code = (text: string) => string

const percent: Code = (text) => [...Buffer.from(text)].map((byte) => `%${byte.toString(16).padStart(2, '0')}`).join('')
const units = (text: string, prefix: string, digits: number) =>
  [...text].map((character) => prefix + character.charCodeAt(0).toString(16).padStart(digits, '0')).join('')
const reversed: Code = (text) => [...text].reverse().join('')
const base64: Code = (text) => Buffer.from(text).toString('base64')
const base64url: Code = (text) => Buffer.from(text).toString('base64url')
const hex: Code = (text) => Buffer.from(text).toString('hex')

/** The twenty codings in which a target echoes. */
export const codings: Record<string, Code> = {
  plain: (text) => text,
  upper: (text) => text.toUpperCase(),
  lower: (text) => text.toLowerCase(),
  reversed,
  'in base64': base64,
  'in base64url': base64url,
  'in base64, reversed': (text) => reversed(base64(text)),
  'in base64url, reversed': (text) => reversed(base64url(text)),
  'in base64 of more': (text) => base64(`Bearer ${text}, it was`),
  'in base64 as a part of a URL': (text) => encodeURIComponent(base64(text)),
  'in hex': hex,
  'in upper hex': (text) => hex(text).toUpperCase(),
  'in hex, reversed': (text) => reversed(hex(text)),
  'in percent coding': percent,
  'in percent coding twice': (text) => percent(percent(text)),
  'in percent coding with upper digits': (text) => percent(text).toUpperCase(),
  'as a part of a URL': encodeURIComponent,
  'as JSON': (text) => JSON.stringify(text).slice(1, -1),
  'as escapes of JSON': (text) => units(text, '\\u', 4),
  'as escapes of bytes': (text) => units(text, '\\x', 2),
}
