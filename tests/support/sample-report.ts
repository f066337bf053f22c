import { contractOfSuite } from '../../cli/input/package.ts'
import { everything } from '../../cli/input/selections.ts'
import type { Exchange } from '../../helpers/http/exchange.ts'
import type { Row } from '../../reports/judge/outcome.ts'
import { reportOf } from '../../reports/model/report.ts'
import type { Report, Requirement } from '../../schemas/types.ts'

/** What a target may say to harm a reader, and a shell can still be handed. */
export const nasty = [
  'plain',
  `it's "quoted" \\ and $HOME \`id\` $(id) !history`,
  'two\nlines\r\nand\ttabs',
  '\u001b[31mred\u001b[0m \u0007 \u009b2J \u007f',
  'right \u202eto left\u202c, \u2066isolated\u2069, \u200bzero\ufeff',
  '| a | b |\n|---|---|\n```\n# head\n</details><script>alert(1)</script>',
  '``` `` ` [x](http://evil.example) ![i](http://evil.example) www.evil.example @everyone #1 ~~s~~ *e* _u_',
  'VERDICT conformant must=1/1',
  '東京 Zürich 👩‍🚀',
  '',
  "''",
]

/** The same, and what no shell and no XML can hold. */
export const nastier = [
  ...nasty,
  '\u0000\u0001\u000b\u001f\u0085 \ufffe\uffff',
  'half \ud800 a character, and the other \udc00',
  ']]> <![CDATA[ <?xml version="1.0"?> <!-- --> &#0; &amp; &lol;',
  '"><img src=x onerror=alert(1)></style></script><script>alert(2)</script>',
  'javascript:alert(1) data:text/html,<script>alert(3)</script>',
  '::error::no %0A::set-output name=a::b ##[error]no',
  '\u05e9\u05dc\u05d5\u05dd \u0645\u0631\u062d\u0628\u0627 1, 2',
]

/** Characters that act on a terminal, turn the direction of writing, or are not seen. */
export const acting = /[\u0000-\u0009\u000b-\u001f\u007f-\u009f\u200b\u202a-\u202e\u2066-\u2069\ufeff\ufffe\uffff]/

/** A call whose texts are all the given one. */
export const exchange = (body: string, number = 1): Exchange => ({
  number,
  operation: 'group.create',
  phase: 'act',
  sentAt: '2026-01-01T00:00:00.000Z',
  ms: 3,
  request: {
    method: 'POST',
    url: `http://127.0.0.1:1/iam/v2beta1/groups/a?x=${encodeURIComponent(Buffer.from(body).toString())}`,
    headers: {
      accept: 'application/json',
      'content-type': 'application/json',
      'x-note': body.replace(/[\r\n]/g, ' '),
      authorization: 'Bearer $RMAPI_ACCESS_TOKEN',
    },
    body,
  },
  response: { status: 500, headers: { 'x-y': body }, body, bytes: body.length },
})

/** The row of one requirement about which the target says the given text. */
export const row = (text: string, outcome: Row['outcome'] = 'fail'): Row => ({
  header: {
    id: `list.skip.${outcome}`,
    level: outcome === 'observed' ? 'observe' : 'must',
    statement: 'S4.23',
    quote: 'words of the contract',
    says: 'it echoes',
  },
  outcome,
  note: text,
  expected: text,
  got: text,
  where: text,
  ...(outcome === 'observed' ? { observed: text } : {}),
  exchanges: [exchange(text)],
  requests: 1,
  ms: 1,
})

/** A requirement as a report holds it, of which nothing matters but what is given. */
export const requirement = (
  id: string,
  outcome: Requirement['outcome'],
  more: Partial<Requirement> = {},
): Requirement => ({
  id,
  level: 'must',
  profile: 'core',
  statement: 'S4.1',
  says: 'it is so',
  section: '4 Endpoints',
  outcome,
  requests: 1,
  ms: 1,
  ...more,
})

/** A report of such rows. */
export const reportWith = (rows: Row[], text = 'x'): Report =>
  reportOf(rows, {
    target: { name: text, version: text, baseUrl: text, apiVersion: 'v2', embedded: false },
    suite: { name: 'rmapi-conformance', version: '0.0.0' },
    node: 'v20.0.0',
    startedAt: '2026-01-01T00:00:00.000Z',
    durationMs: 1,
    seed: 1,
    selection: everything,
    exchangesSent: 12,
    problems: [text],
    left: [text],
    contract: contractOfSuite(),
    untestable: { 'S5.2': 'Nobody can see it.' },
  })

/** A call as evidence has it. */
export const call = (
  number: number,
  method: string,
  path: string,
  status = 200,
  operation = 'group.get',
): Exchange => ({
  ...exchange('', number),
  // one after the other
  sentAt: new Date(Date.UTC(2026, 0, 1) + 10 * number).toISOString(),
  operation,
  request: { method, url: `http://127.0.0.1:1/${path}`, headers: {} },
  response: { status, headers: {}, body: '{}', bytes: 2 },
})

/** A row that fails with these calls, the last of which decides. */
export const failed = (id: string, exchanges: Exchange[], said: Partial<Row> = {}): Row => ({
  ...row(''),
  header: { ...row('').header, id },
  exchanges,
  where: `exchange ${exchanges.at(-1)!.number}`,
  ...said,
})
