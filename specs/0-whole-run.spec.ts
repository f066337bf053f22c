import { expect } from 'vitest'
import { succeeded } from '../helpers/client.ts'
import {
  doubledDetails,
  errorDomains,
  indiscreet,
  listsOf,
  madeBy,
  nullsIn,
  ofShownKinds,
  ofUnshownKinds,
  resourcesIn,
  serverFaults,
  successesThatRefuse,
  timesIn,
  timesOf,
} from '../helpers/ledger.ts'
import { requirement } from '../helpers/requirement.ts'
import { problems } from '../helpers/schema.ts'
import { clocksApart, fractionOf, mostApart, usualTimeForm } from '../helpers/time.ts'

/** The creates that the contract prints. */
const printedCreates = ['group.create', 'identity.create', 'roleBinding.create']

import { notUtf8 } from '../helpers/body.ts'

for (const [id, level, of, says] of [
  ['time.format', 'must', ofShownKinds, 'Every timestamp of the run'],
  [
    'time.format.unshown',
    'should',
    ofUnshownKinds,
    'Every timestamp of a resource whose members are not shown',
  ],
] as const) {
  requirement(
    {
      id,
      level,
      statement: 'S2.4, R2, R49',
      says: `${says} is an RFC 3339 time in UTC with at most three fraction digits`,
      alone: 'whole run',
    },
    async ({ run, evidence, atLeast }) => {
      const times = timesIn(of(run.client.ledger.filter(succeeded)))
      atLeast(level === 'must' ? 10 : 1, 'timestamps', times.length)

      const forms = new Map(
        times.map(({ value }) => [value, problems(value, 'timestamp').map(({ expected }) => expected)]),
      )
      const bad = times.find(({ value }) => forms.get(value)!.length > 0)
      if (bad) evidence.push(bad.answer.exchange)

      expect(bad && { [bad.member]: bad.value, expected: forms.get(bad.value) }).toBeUndefined()
    },
  )
}

requirement(
  {
    id: 'time.precision',
    level: 'must',
    statement: 'S2.4, R2',
    says: 'Timestamps tell milliseconds: of what the run made, not every one falls on a whole second',
    alone: 'whole run',
  },
  async ({ run, atLeast }) => {
    const created = madeBy(run.client.ledger).map(({ createTime }) => createTime)
    const fractions = created.map(fractionOf).filter((fraction) => fraction !== undefined)
    atLeast(10, 'created resources with a createTime', fractions.length)
    atLeast(2, 'different moments of creation', new Set(created).size)

    expect(
      fractions.filter((fraction) => fraction !== '').length,
      `of ${fractions.length} times, those with a fraction`,
    ).toBeGreaterThan(0)
  },
)

requirement(
  {
    id: 'time.clock.all',
    level: 'must',
    statement: 'S2.4, R2',
    says: "Whatever the run made bears a createTime within 20 minutes of the target's own clock",
    alone: 'whole run',
  },
  async ({ run, evidence, toldNow, atLeast }) => {
    const told = await toldNow()
    const creates = run.client.ledger.filter(
      (answer) => printedCreates.includes(answer.exchange.operation) && succeeded(answer),
    )
    const times = clocksApart(creates, run.client.ledger.at(-1), told)
    atLeast(1, 'answers with a createTime beside a Date', times.length)

    const off = times.find(({ minutes }) => minutes >= mostApart)
    if (off) evidence.push(off.answer.exchange)

    expect(off && `${Math.round(off.minutes)} minutes off`).toBeUndefined()
  },
)

requirement(
  {
    id: 'time.form',
    level: 'should',
    statement: 'S2.4, R2',
    says: 'A timestamp is written the usual way: T, Z and no more than three fraction digits',
    alone: 'whole run',
  },
  async ({ run, atLeast }) => {
    const times = run.client.ledger.filter(succeeded).flatMap(resourcesIn).flatMap(timesOf)
    atLeast(10, 'timestamps', times.length)

    expect(times.find(({ value }) => !usualTimeForm.test(value))?.value).toBeUndefined()
  },
)

requirement(
  {
    id: 'error.domain',
    level: 'must',
    statement: 'S7.2, R35',
    says: 'Every ErrorInfo of the run names one and the same domain',
    alone: 'whole run',
  },
  async ({ run, evidence, atLeast }) => {
    const domains = errorDomains(run.client.ledger)
    atLeast(2, 'errors with an ErrorInfo', domains.length)

    const other = domains.find(({ domain }) => domain !== domains[0]!.domain)
    if (other) evidence.push(domains[0]!.answer.exchange, other.answer.exchange)

    expect(domains[0]!.domain).toEqual(expect.stringMatching(/./))
    expect(other?.domain ?? domains[0]!.domain).toBe(domains[0]!.domain)
  },
)

requirement(
  {
    id: 'service.nulls',
    level: 'should',
    statement: 'S2.7, S2.9, R46, R13',
    says: 'A member that is not set is left out or empty, never null',
    alone: 'whole run',
  },
  async ({ run, evidence, atLeast }) => {
    const found = run.client.ledger
      .filter(succeeded)
      .flatMap((answer) => nullsIn(answer).map((member) => ({ member, answer })))
    atLeast(1, 'successful answers', run.client.ledger.filter(succeeded).length)
    evidence.push(...found.slice(0, 1).map(({ answer }) => answer.exchange))

    expect(found[0]?.member).toBeUndefined()
  },
)

requirement(
  {
    id: 'service.json',
    level: 'should',
    statement: 'S1.6, R33',
    says: 'Successful answers with a body say that it is JSON',
    alone: 'whole run',
  },
  async ({ run, evidence, atLeast }) => {
    const answers = run.client.ledger.filter((answer) => succeeded(answer) && answer.text !== '')
    atLeast(1, 'successful answers with a body', answers.length)

    const other = answers.find(
      ({ headers }) => !/^application\/([\w.-]+\+)?json\b/i.test(headers['content-type'] ?? ''),
    )
    if (other) evidence.push(other.exchange)

    expect(other && (other.headers['content-type'] ?? 'no content type')).toBeUndefined()
  },
)

requirement(
  {
    id: 'service.encoding',
    level: 'should',
    statement: 'S1.6, R51',
    says: 'The bytes of a successful answer are UTF-8, whatever text was sent before',
    alone: 'whole run',
  },
  async ({ run, evidence, atLeast }) => {
    const answers = run.client.ledger.filter((answer) => succeeded(answer) && answer.text !== '')
    atLeast(1, 'successful answers with a body', answers.length)

    const other = answers.find(({ notJson }) => notJson === notUtf8)
    if (other) evidence.push(other.exchange)

    expect(other?.notJson).toBeUndefined()
  },
)

requirement(
  {
    id: 'service.faults',
    level: 'should',
    statement: 'S7.1, R20, R33',
    says: 'No request of the run is answered with a fault of the server: no 500',
    alone: 'whole run',
  },
  async ({ run, evidence }) => {
    const faults = serverFaults(run.client.ledger)
    evidence.push(...faults.slice(0, 3).map(({ exchange }) => exchange))

    expect(
      faults.slice(0, 3).map(({ exchange }) => `${exchange.request.method} ${exchange.request.url}`),
    ).toEqual([])
  },
)

requirement(
  {
    id: 'service.discreet',
    level: 'should',
    statement: 'S7.1',
    says: 'No refusal tells a stack trace, a database statement or the token of the caller',
    alone: 'whole run',
  },
  async ({ run, evidence }) => {
    const told = indiscreet(run.client.ledger)
    evidence.push(...told.slice(0, 3).map(({ answer }) => answer.exchange))

    expect(told[0]?.tells).toBeUndefined()
  },
)

requirement(
  {
    id: 'service.throttling',
    level: 'observe',
    statement: 'S8.4, R43',
    says: 'How often the target asked the run to wait',
    alone: 'whole run',
  },
  async ({ run, observe }) => {
    observe(run.client.throttled === 0 ? 'never' : `${run.client.throttled} times`)
  },
)

requirement(
  {
    id: 'service.slashes',
    level: 'should',
    statement: 'S2.2, R48',
    says: 'The slashes of a uid may stand in a path as they are',
    alone: 'whole run',
  },
  async ({ run, ground }) => {
    expect(ground.uid).toEqual(expect.any(String))
    expect(run.paths.encodesSlashes ? 'only %2F works' : 'slashes work').toBe('slashes work')
  },
)

requirement(
  {
    id: 'list.lag',
    level: 'should',
    statement: 'S4.1, R52',
    says: 'A list shows a new group at once',
    alone: 'whole run',
  },
  async ({ ground }) => {
    expect(ground.lag > 0 ? 'late' : 'at once').toBe('at once')
  },
)

requirement(
  {
    id: 'list.lag.length',
    level: 'observe',
    statement: 'S4.1, R52',
    says: 'How long a list takes to show a new group',
    alone: 'whole run',
  },
  async ({ ground, observe }) => {
    observe(ground.lag === 0 ? 'no time' : `${Math.ceil(ground.lag / 100) / 10} s`)
  },
)

requirement(
  {
    id: 'list.total.every-answer',
    level: 'must',
    statement: 'S4.18, R13',
    says: 'Every answer of the run about a list that nobody changed has one total, whatever was asked for besides',
    alone: 'whole run',
  },
  async ({ run, crowd, forest, evidence, atLeast }) => {
    const known = [crowd, { scope: forest.scope, siblings: forest.all }]
    const told = known.flatMap(({ scope, siblings }) =>
      listsOf(run.client.ledger, scope)
        // an empty result may leave its total out (R13)
        .filter(({ body }) => body.groups.length > 0 || body.totalCount !== undefined)
        .map(({ answer, body }) => ({ answer, total: body.totalCount, wanted: String(siblings.length) })),
    )
    atLeast(20, 'answers about lists that nobody changed', told.length)

    const wrong = told.filter(({ total, wanted }) => total !== wanted)
    evidence.push(...wrong.slice(0, 2).map(({ answer }) => answer.exchange))

    expect(wrong.slice(0, 2).map(({ total, wanted }) => ({ total, wanted }))).toEqual([])
  },
)

requirement(
  {
    id: 'list.every-answer.belongs',
    level: 'must',
    statement: 'S4.8, S4.9, R15',
    says: 'No answer of the run about a list that nobody changed shows what does not belong there, or one thing twice',
    alone: 'whole run',
  },
  async ({ run, crowd, forest, evidence, atLeast }) => {
    const known = [crowd, { scope: forest.scope, siblings: forest.all }]
    const told = known.flatMap(({ scope, siblings }) => {
      const wanted = new Set(siblings.map(({ uid }) => uid))
      return listsOf(run.client.ledger, scope).map(({ answer }) => ({
        answer,
        wanted,
        shown: shownBy(answer),
      }))
    })
    atLeast(20, 'answers about lists that nobody changed', told.length)

    const wrong = told.filter(
      ({ shown, wanted }) => new Set(shown).size < shown.length || shown.some((uid) => !wanted.has(uid)),
    )
    evidence.push(...wrong.slice(0, 2).map(({ answer }) => answer.exchange))

    expect(wrong.slice(0, 2).map(({ shown }) => shown)).toEqual([])
  },
)

const shownBy = (answer: Parameters<typeof resourcesIn>[0]) => resourcesIn(answer).map(({ uid }) => uid)

requirement(
  {
    id: 'error.never-succeeds',
    level: 'must',
    statement: 'S7.1, R33',
    says: 'No answer of the run is an error under a status of success',
    alone: 'whole run',
  },
  async ({ run, evidence, atLeast }) => {
    const wrong = successesThatRefuse(run.client.ledger)
    atLeast(1, 'successful answers', run.client.ledger.filter(succeeded).length)
    evidence.push(...wrong.slice(0, 2).map(({ exchange }) => exchange))

    expect(wrong.slice(0, 2).map(({ status, text }) => `${status} ${text.slice(0, 200)}`)).toEqual([])
  },
)

requirement(
  {
    id: 'error.details.once',
    level: 'should',
    statement: 'S7.1, R34',
    says: 'No error of the run has two details of one type',
    alone: 'whole run',
  },
  async ({ run, evidence, atLeast }) => {
    const doubled = doubledDetails(run.client.ledger)
    atLeast(1, 'refusals', run.client.ledger.filter((answer) => !succeeded(answer)).length)
    evidence.push(...doubled.slice(0, 1).map(({ answer }) => answer.exchange))

    expect(doubled[0]?.type).toBeUndefined()
  },
)

requirement(
  {
    id: 'service.rate-headers',
    level: 'observe',
    statement: 'S8.4, R43',
    says: 'Which headers tell of a rate limit',
    alone: 'whole run',
  },
  async ({ run, observe }) => {
    const names = run.client.ledger.flatMap(({ headers }) => Object.keys(headers))
    const told = [...new Set(names)].filter((name) => /ratelimit|rate-limit|^retry-after$/.test(name)).sort()

    observe(told.length === 0 ? 'none' : told.join(', '))
  },
)

requirement(
  {
    id: 'time.digits',
    level: 'observe',
    statement: 'S2.4, R2',
    says: 'How many digits the fraction of a timestamp has',
    alone: 'whole run',
  },
  async ({ run, observe, atLeast }) => {
    const written = run.client.ledger.flatMap(({ text }) => text.match(/T\d\d:\d\d:\d\d(\.\d+)?/g) ?? [])
    atLeast(10, 'timestamps', written.length)

    const digits = new Set(written.map((time) => (time.split('.')[1] ?? '').length))
    observe(digits.size === 1 ? `always ${[...digits]}` : `at most ${Math.max(...digits)}`)
  },
)
