/** Names outside the regex, one for each reason (S2.6, R3). */
export const badNames = [
  '', 'A', 'aB', 'a/b', 'a@b', 'a\tb', 'a\n', '\na', 'é', 'a\u00a0b', 'a+b', 'a:b', 'a,b', 'a!b', 'a#b', 'a%b', 'a&b', 'a(b', 'a*b',
  'a=b', 'a?b', 'a[b', 'a\\b', 'a^b', 'a`b', 'a{b', 'a|b', 'a~b', 'a"b', "a'b", 'a;b', 'a<b', 'a$b', 'ａ', 'a\u200bb', 'ß', 'a\r', 'a\u0000b', '🙂', 'ſ', 'ı', '\u212a', '٣',
  // bad for two reasons
  `A${'x'.repeat(80)}`, ` @${'-'.repeat(3)}`,
] // biome-ignore format: a table
/** Names that must be accepted: each punctuation between letters, also doubled, the shortest and the longest (R3). */
export const ordinaryNames = [
  'a b', 'a.b', 'a_b', 'a-b', '0a1', '123', 'a b.c_d-e', 'a'.repeat(30), 'z9'.repeat(15), '1.2.3', 'a-b-c', 'a b c',] // biome-ignore format: a table
/** The printable characters of ASCII, and each punctuation mark two and three times. */
const ascii = Array.from({ length: 95 }, (_, at) => String.fromCharCode(32 + at))
const repeated = ascii
  .filter((mark) => /[!-/:-@[-`{-~]/.test(mark))
  .map((mark) => `${mark}${mark} ${mark}${mark}${mark}`)

/** Descriptions that come back as sent if accepted (R6). */
export const descriptions = [
  ascii.join('').trim(), repeated.slice(0, 16).join(' '), repeated.slice(16).join(' '),
  'plain', 'with & and < and "quotes"', "it's", '"Capitals And lower"', 'ünïcödé', '日本語', 'a  b', '100%', '{"json": true}', '<b>bold</b>', 'a\\b', '\\u0041',
  '+1 (2)', '🙂', 'null', '0', 'true', '007', '1.50', '1e3', 'x'.repeat(100),
  // parsed as times, numbers, tables or lists by some readers
  '2024-02-29T23:59:60Z', '2024-01-01T00:00:00Z', '2024-01-31', '12345678901234567891', '=1+1', '@sum', '-1', '[1, 2]', 'no',
  // changed by some editors, text shapers and readers of escapes
  '“so” ‘it’ – and — so on…', 'joined\u200dsigns\u200c of\u00ad many\u2060 parts ❤\ufe0f', 'ends in \\',
  // marks of direction, which shells and editors leave out
  'left\u200e right\u200f \u202bin\u202c \u2067out\u2069 \u061c',
  // changed by Unicode composition, trimming, or readers of statements
  'cafe\u0301 A\u030a', 'no\u00a0break\u2003here', 'why? and ? how ?',
  // and by templates, shells, pages, addresses and settings
  '$& $$ $1 $` %s %d %41 $HOME {{ x }} {0} &amp; &#65; <!-- -->', 'a; b # c // d /* e */ -- f | g, h = i ~ j',
  // and hidden by what looks for people, cards, addresses and secrets
  'ada@example.com, +1 202 555 0143, 4111 1111 1111 1111, 078-05-1120', 'https://a:b@example.com/?token=abc&key=def 192.0.2.7 ::1',
  // and by what makes labels, slugs and printed text of them
  'team_a builds', 'two  words--and more... (c) 1/2 x2 -> <- "quoted" \'so\'', 'The Team Of Tomorrow', 'iPhone and eBay', 'copy-2', 'teams', 'A.B. c.d',
  'password=hunter2 secret: "s3cret" Authorization: Basic YTpi',
] // biome-ignore format: a table

/** Names that some readers parse as numbers, times or booleans, or do not look for (R3); each is used once in a run. */
export const ambiguousNames = [
  // words that an index of words leaves out, and what is too short for one
  'the', 'and', 'not', 'for', 'q', 'is', 'k7',
  'nul', 'undef', 'infinity', '0b11', '0o17', '2024-01-31', '1e5', '0x1f', '0123456789abcdef', '10_000', '98765432109876543210',
] // biome-ignore format: a table

/** Names of a word and a number or another word, with each punctuation between them (R3): endings may number namesakes. */
export const joinedNames = (word: string): string[] =>
  ['-', '_', '.', ' ', ''].flatMap((mark) => [`${word}${mark}2`, `2${mark}${word}`, `${word}${mark}copy`])
