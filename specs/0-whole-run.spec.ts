import { expect } from 'vitest'
import { childrenOf } from '../helpers/arrange/scratch.ts'
import { mostApart } from '../helpers/assertions/timestamps.ts'
import { requirement } from '../helpers/case/requirement.ts'
import { clocksApart } from '../helpers/invariants/all-answers.ts'

for (const [id, level, of, says] of [
  ['time.format', 'must', 'shown', 'Every timestamp of the run'],
  ['time.format.unshown', 'should', 'unshown', 'Every timestamp of a resource whose members are not shown'],
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
      const { met, astray } = run.allAnswers.times[of]
      atLeast(level === 'must' ? 10 : 1, 'timestamps', met)
      evidence.push(...astray.slice(0, 1).map(({ exchange }) => exchange))

      expect(astray[0]?.what).toBeUndefined()
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
    const { timed, fractions, moments } = run.allAnswers.created
    atLeast(10, 'created resources with a createTime', timed)
    atLeast(2, 'different moments of creation', moments.size)

    expect(fractions, `of ${timed} times, those with a fraction`).toBeGreaterThan(0)
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
    const times = clocksApart(run.allAnswers, told)
    atLeast(1, 'answers with a createTime beside a Date', times.length)

    const off = times.find(({ minutes }) => minutes >= mostApart)
    if (off) evidence.push(off.exchange)

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
    const { met, astray } = run.allAnswers.times.form
    atLeast(10, 'timestamps', met)

    expect(astray[0]?.what).toBeUndefined()
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
    const { met, unlike } = run.allAnswers.domains
    atLeast(2, 'errors with an ErrorInfo', met)
    const [first, other] = unlike
    if (other) evidence.push(first!.exchange, other.exchange)

    expect(first!.domain).toEqual(expect.stringMatching(/./))
    expect((other ?? first!).domain).toBe(first!.domain)
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
    const { met, astray } = run.allAnswers.nulls
    atLeast(1, 'successful answers', met)
    evidence.push(...astray.slice(0, 1).map(({ exchange }) => exchange))

    expect(astray[0]?.what).toBeUndefined()
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
    const { met, astray } = run.allAnswers.bodies.typed
    atLeast(1, 'successful answers with a body', met)
    evidence.push(...astray.slice(0, 1).map(({ exchange }) => exchange))

    expect(astray[0]?.what).toBeUndefined()
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
    const { met, astray } = run.allAnswers.bodies.encoded
    atLeast(1, 'successful answers with a body', met)
    evidence.push(...astray.slice(0, 1).map(({ exchange }) => exchange))

    expect(astray[0]?.what).toBeUndefined()
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
  async ({ run, evidence, atLeast }) => {
    const { faults, successes, refusals } = run.allAnswers
    atLeast(1, 'answers', successes.met + refusals.met)
    const exchanges = faults.astray.map(({ exchange }) => exchange)
    evidence.push(...exchanges)

    expect(exchanges.map(({ request }) => `${request.method} ${request.url}`)).toEqual([])
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
  async ({ run, evidence, atLeast }) => {
    const { met, astray } = run.allAnswers.indiscretions
    atLeast(1, 'refusals', met)
    evidence.push(...astray.map(({ exchange }) => exchange))

    expect(astray[0]?.what).toBeUndefined()
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
  async ({ api, ground, atLeast }) => {
    const { items } = await api.groups.list(childrenOf(ground.uid))
    atLeast(1, 'new groups that a list shows', items.length)

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
  async ({ run, evidence, atLeast }) => {
    const { met, astray } = run.allAnswers.totals
    atLeast(20, 'answers about lists that nobody changed', met)
    evidence.push(...astray.slice(0, 2).map(({ exchange }) => exchange))

    expect(astray.slice(0, 2).map(({ what }) => what)).toEqual([])
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
  async ({ run, evidence, atLeast }) => {
    const { met, astray } = run.allAnswers.shown
    atLeast(20, 'answers that show results of lists that nobody changed', met)
    evidence.push(...astray.slice(0, 2).map(({ exchange }) => exchange))

    expect(astray.slice(0, 2).map(({ what }) => what)).toEqual([])
  },
)

requirement(
  {
    id: 'error.never-succeeds',
    level: 'must',
    statement: 'S7.1, R33',
    says: 'No answer of the run is an error under a status of success',
    alone: 'whole run',
  },
  async ({ run, evidence, atLeast }) => {
    const { refusals, falseSuccesses } = run.allAnswers
    atLeast(1, 'errors', refusals.met + falseSuccesses.astray.length)
    const wrong = falseSuccesses.astray.slice(0, 2)
    evidence.push(...wrong.map(({ exchange }) => exchange))

    expect(wrong.map(({ what }) => what)).toEqual([])
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
    const { met, astray } = run.allAnswers.doubledDetails
    atLeast(1, 'refusals', met)
    evidence.push(...astray.slice(0, 1).map(({ exchange }) => exchange))

    expect(astray[0]?.what).toBeUndefined()
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
    const names = [...run.allAnswers.headerNames]
    const told = names.filter((name) => /ratelimit|rate-limit|^retry-after$/.test(name)).sort()

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
    const { form, digits } = run.allAnswers.times
    atLeast(10, 'timestamps', form.met)

    observe(digits.size === 1 ? `always ${[...digits]}` : `at most ${Math.max(...digits)}`)
  },
)
