/** Values that nearly equal a text, each in another way (R41). */
export function nearly(text: string): unknown[] {
  const middle = Math.floor(text.length / 2)
  return [
    text.toUpperCase(), text.slice(0, -1), text.slice(1), `${text}x`, `x${text}`, `${text} `, ` ${text}`, `${text}\n`, `${text}/`, `${text}\u0000`,
    text.replace(/[.:]/, 'x'), text.slice(0, middle), '*', '.*', '', encodeURIComponent(text), [text], [text, 'other'], { value: text }, 7, null,
    `${text},other`, `${text}#x`, `${text}?x`, text.replace('main', 'maln'), `${text.slice(0, 64)}`, text.normalize('NFD').replace('a', 'а'),
  ] // biome-ignore format: a table
}

/** Other spellings of a URL, which a server that normalizes URLs takes for the same (R41). */
export function otherSpellings(address: string): string[] {
  const last = `%${address
    .charCodeAt(address.length - 1)
    .toString(16)
    .toUpperCase()}`
  const [before, after] = [address.slice(0, address.lastIndexOf('/')), address.slice(address.lastIndexOf('/') + 1)]
  const behind = ['/.', '/x/..', '#', '?'].map((end) => address + end)
  return [
    address.slice(0, -1) + last,
    `${before}/./${after}`,
    `${before}/x/../${after}`,
    `${before}//${after}`,
    ...behind,
  ]
}

/** Subjects that mean something else to a pattern, a number, an alphabet or a URL; the last one is to be changed. */
export function oddSubjects(name: () => string): string[] {
  const odd = [
    'a.b*c',
    '.*',
    'A Subject',
    'repo:x/y:ref:refs/heads/main',
    'ünï ﬁ ß',
    '🙂',
    '%41',
    'a_b',
    'x'.repeat(200),
  ]
  const whole = [
    `ends ${name()}*`,
    `one ${name()},two`,
    `one ${name()}|two?`,
    `Some.One@${name()}.example`,
    `ada.b+${name()}@mail.example`,
    uuidOf(name()),
    `${name()} ${'y'.repeat(290)}`,
  ]
  // some providers identify people by numbers that exceed any machine integer
  const digits = [...name()]
    .reverse()
    .map((letter) => letter.charCodeAt(0) % 10)
    .join('')
  const numbers = [`1${digits}${digits}`.slice(0, 21), `1${digits}`.slice(0, 6)]
  return [...odd.map((text) => `${text} ${name()}`), ...whole, ...numbers, `Changed ${name()}`]
}

/** A UUID for a text: many directories identify people by one. */
function uuidOf(text: string): string {
  const digits = Buffer.from(text).toString('hex').padEnd(32, 'a')
  return `${digits.slice(0, 8)}-${digits.slice(8, 12)}-4${digits.slice(13, 16)}-a${digits.slice(17, 20)}-${digits.slice(-12)}`
}

/** What a star in a pattern may match. */
const insteadOfStars = ['', 'q', 'a longer text/of:some/parts']

/** Claims that a weaker comparison takes for this one: case, a pattern, a list, a number, an escape, a normal form. */
export function alike(text: string): unknown[] {
  const forms: unknown[] = [text.toLowerCase() === text ? text.toUpperCase() : text.toLowerCase()]
  if (text.includes(' ')) forms.push(...['\t', '\n', '\u00a0', '+', ''].map((blank) => text.replace(' ', blank)))
  if (text.includes('.')) forms.push(text.replace('.', 'q'))
  if (text.includes('*')) forms.push(...insteadOfStars.map((instead) => text.replaceAll('*', instead)))
  for (const between of [',', '|']) if (text.includes(between)) forms.push(...text.split(between))
  if (text.includes('?')) forms.push(text.replaceAll('?', 'q'))
  if (text.includes('@')) forms.push(text.replace(/@.*$/, (domain) => domain.toUpperCase()))
  // a mail provider delivers these to the same person
  if (text.includes('+')) forms.push(text.replace(/\+[^@]*/, ''), text.replace('+', '+other'), text.replace('.', ''))
  if (/^[\da-f]{8}-/.test(text)) forms.push(text.replaceAll('-', ''), `{${text}}`, `urn:uuid:${text}`)
  if (text.includes('_')) forms.push(text.replace('_', '-'))
  if (/%[0-9A-F]{2}/.test(text)) forms.push(decodeURIComponent(text), text.replace('%', 'anything '))
  if (/^\d+$/.test(text)) {
    const last = text.endsWith('0') ? '1' : '0'
    forms.push(
      text.slice(0, -1) + last,
      `0${text}`,
      `${text}.0`,
      `${text.slice(0, 1)}.${text.slice(1)}e${text.length - 1}`,
    )
    if (Number.isSafeInteger(Number(text))) forms.push(Number(text))
  }
  if (/[^ -~]/.test(text)) forms.push(...normalizedForms(text))
  // some collations take all characters beyond the first plane for one
  if (text.includes('🙂')) forms.push(text.replace('🙂', '🚀'))
  // an index may only hold the beginning
  if (text.length > 64) forms.push(`${text.slice(0, -1)}#`, `#${text.slice(1)}`, text.slice(0, 64), text.slice(0, 128))
  return [...new Set(forms)].filter((form) => form !== text)
}

/** Other texts that are equal to this one after some normalization (R41). */
export function normalizedForms(text: string): string[] {
  const forms = [
    text.normalize('NFC'),
    text.normalize('NFD'),
    text.normalize('NFKC'),
    text.toLowerCase(),
    text.toUpperCase(),
    text.replace('ß', 'ss'),
    text.replaceAll(' ', '  '),
    text.trim(),
    `${text} `,
    `${text}\u00ad`,
  ]
  return [...new Set(forms)].filter((form) => form !== text)
}

/** Claims in which providers name who asks, besides the subject. */
const subjectClaims = [
  'azp', 'client_id', 'appid', 'preferred_username', 'upn', 'email', 'name', 'subject', 'username', 'uid', 'oid', 'unique_name', 'nameid', 'cognito:username', 'act',
] // biome-ignore format: a table
/** Claims in which they name who issued the token, besides the issuer. */
const issuerClaims = ['azp', 'issuer', 'idp', 'tid', 'identity_provider']

/** Claims that have the right values in the wrong places (R41); the other issuer publishes the same keys. */
export function elsewhereIn({ issuer, subject }: { issuer: string; subject: string }): Record<string, unknown>[] {
  const all = (names: readonly string[], value: string) => Object.fromEntries(names.map((name) => [name, value]))
  return [
    { sub: 'somebody else', ...all(subjectClaims, subject) },
    { iss: new URL('/other', issuer).href, ...all(issuerClaims, issuer) },
  ]
}
