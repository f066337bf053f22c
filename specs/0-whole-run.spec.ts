import { expect } from 'vitest'
import { childrenOf } from '../helpers/arrange/scratch.ts'
import { mostApart } from '../helpers/assertions/timestamps.ts'
import { requirement } from '../helpers/case/requirement.ts'
import { clocksApart } from '../helpers/invariants/all-answers.ts'

const none = 'none'

const usualForm = 'T, Z and at most three fraction digits'
const timeForm = 'RFC 3339 in UTC with at most three fraction digits'

for (const [id, level, of, timestamps] of [
  ['time.format', 'must', 'shown', 'Every timestamp of the run is'],
  ['time.format.unshown', 'should', 'unshown', 'Timestamps of kinds without listed fields are'],
] as const) {
  requirement(
    {
      id,
      level,
      statement: 'S2.4, R2, R49',
      quote: 'RFC 3339 timestamps in UTC with a precision of milliseconds',
      says: `${timestamps} ${timeForm}`,
      alone: 'whole run',
    },
    async ({ run, evidence, atLeast }) => {
      const { met, astray } = run.client.ledger.times[of]
      atLeast(level === 'must' ? 10 : 1, 'timestamps', met)
      evidence.push(...astray.slice(0, 1).map(({ exchange }) => exchange))

      const wrong = astray[0]?.what
      expect(wrong ? `${wrong.member} ${wrong.value}` : timeForm, 'a timestamp of the run').toBe(timeForm)
    },
  )
}

requirement(
  {
    id: 'time.precision',
    level: 'must',
    statement: 'S2.4, R2',
    quote: 'with a precision of milliseconds',
    says: 'Not every createTime of the run is a whole second',
    alone: 'whole run',
  },
  async ({ run, atLeast }) => {
    const { timed, fractions, moments } = run.client.ledger.created
    atLeast(10, 'created resources with a createTime', timed)
    atLeast(2, 'different moments of creation', moments.size)

    expect(fractions, `how many of ${timed} createTimes have a fraction`).toBeGreaterThan(0)
  },
)

requirement(
  {
    id: 'time.clock.all',
    level: 'must',
    statement: 'S2.4, R2',
    quote: "has a `createTime` within 20 minutes of the target's own clock",
    says: "Every createTime of the run is within 20 minutes of the target's own clock",
    alone: 'whole run',
  },
  async ({ run, evidence, toldNow, atLeast }) => {
    const times = clocksApart(run.client.ledger, await toldNow())
    atLeast(1, 'answers with a createTime and a Date', times.length)

    const off = times.find(({ minutes }) => minutes >= mostApart)
    if (off) evidence.push(off.exchange)

    const near = `less than ${mostApart} minutes`
    expect(off ? `${Math.round(off.minutes)} minutes` : near, "how far a createTime is from the target's clock").toBe(
      near,
    )
  },
)

requirement(
  {
    id: 'time.form',
    level: 'should',
    statement: 'S2.4, R2',
    quote: 'writing `+00:00`, `-00:00` or lower-case letters is a warning',
    says: 'Every timestamp is written with T, Z and at most three fraction digits',
    alone: 'whole run',
  },
  async ({ run, atLeast }) => {
    const { met, astray } = run.client.ledger.times.form
    atLeast(10, 'timestamps', met)

    expect(astray[0]?.what ?? usualForm, 'a timestamp of the run').toBe(usualForm)
  },
)

requirement(
  {
    id: 'error.domain',
    level: 'must',
    statement: 'S7.2, R35',
    quote: '`domain` is a non-empty string and the same in every error of the run',
    says: 'Every ErrorInfo of the run names the same domain',
    alone: 'whole run',
  },
  async ({ run, evidence, atLeast }) => {
    const { met, unlike } = run.client.ledger.domains
    atLeast(2, 'errors with an ErrorInfo', met)
    const [first, other] = unlike
    if (other) evidence.push(first!.exchange, other.exchange)

    expect(first!.domain ?? '', 'the domain of an ErrorInfo').toEqual(expect.stringMatching(/./))
    expect((other ?? first!).domain, 'the domain of another ErrorInfo').toBe(first!.domain)
  },
)

requirement(
  {
    id: 'service.nulls',
    level: 'should',
    statement: 'S2.7, S2.9, R46, R13',
    quote: '`null` is a warning for a member that is not set',
    says: 'An unset member is absent or empty, never null',
    alone: 'whole run',
  },
  async ({ run, evidence, atLeast }) => {
    const { met, astray } = run.client.ledger.nulls
    atLeast(1, 'successful answers', met)
    evidence.push(...astray.slice(0, 1).map(({ exchange }) => exchange))

    expect(astray[0]?.what ?? none, 'a member that is null').toBe(none)
  },
)

requirement(
  {
    id: 'service.json',
    level: 'should',
    statement: 'S1.6, R33',
    quote: 'The content type _should_ be JSON, on errors and on success',
    says: 'Every successful answer with a body has a JSON content type',
    alone: 'whole run',
  },
  async ({ run, evidence, atLeast }) => {
    const { met, astray } = run.client.ledger.bodies.typed
    atLeast(1, 'successful answers with a body', met)
    evidence.push(...astray.slice(0, 1).map(({ exchange }) => exchange))

    expect(astray[0]?.what ?? none, 'a content type that is not JSON').toBe(none)
  },
)

requirement(
  {
    id: 'service.encoding',
    level: 'should',
    statement: 'S1.6, R51',
    quote: 'Over HTTP, bodies are JSON',
    says: 'The body of every successful answer is valid UTF-8',
    alone: 'whole run',
  },
  async ({ run, evidence, atLeast }) => {
    const { met, astray } = run.client.ledger.bodies.encoded
    atLeast(1, 'successful answers with a body', met)
    evidence.push(...astray.slice(0, 1).map(({ exchange }) => exchange))

    expect(astray[0]?.what ?? none, 'a body that is not UTF-8').toBe(none)
  },
)

requirement(
  {
    id: 'service.faults',
    level: 'should',
    statement: 'S7.1, R20, R33',
    quote: '4xx for mistakes of the client is _should_ (5xx is a warning, since statuses are not shown)',
    says: 'No request of the run causes an internal server error',
    alone: 'whole run',
  },
  async ({ run, evidence, atLeast }) => {
    const { faults, successes, refusals } = run.client.ledger
    atLeast(1, 'answers', successes.met + refusals.met)
    const exchanges = faults.astray.map(({ exchange }) => exchange)
    evidence.push(...exchanges)

    const failed = exchanges.map(({ request }) => `${request.method} ${request.url}`)
    expect(failed, 'the requests that caused a server error').toEqual([])
  },
)

requirement(
  {
    id: 'service.discreet',
    level: 'should',
    statement: 'S7.1',
    quote: 'the string `message` and the array `details`',
    says: "No refusal reveals a stack trace, a database statement or the caller's token",
    alone: 'whole run',
  },
  async ({ run, evidence, atLeast }) => {
    const { met, astray } = run.client.ledger.indiscretions
    atLeast(1, 'refusals', met)
    evidence.push(...astray.map(({ exchange }) => exchange))

    expect(astray[0]?.what ?? none, 'what a refusal reveals').toBe(none)
  },
)

requirement(
  {
    id: 'service.throttling',
    level: 'observe',
    statement: 'S8.4, R43',
    quote: 'records how many there were',
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
    quote: 'The slashes of a uid stand in the path as they are',
    says: 'A path accepts the slashes of a uid unencoded',
    alone: 'whole run',
  },
  async ({ run, ground }) => {
    expect(ground.uid, 'the uid of the scratch group').toEqual(expect.any(String))
    const works = run.paths.encodesSlashes ? 'only %2F works' : 'slashes work'
    expect(works, 'a uid in a path').toBe('slashes work')
  },
)

requirement(
  {
    id: 'list.lag',
    level: 'should',
    statement: 'S4.1, R52',
    quote: 'The existence of a lag is a single _should_ requirement',
    says: 'A list shows a new group at once',
    alone: 'whole run',
  },
  async ({ api, ground, atLeast }) => {
    const { items } = await api.groups.list(childrenOf(ground.uid))
    atLeast(1, 'new groups that a list shows', items.length)

    expect(ground.lag > 0 ? 'late' : 'at once', 'when a list shows a new group').toBe('at once')
  },
)

requirement(
  {
    id: 'list.lag.length',
    level: 'observe',
    statement: 'S4.1, R52',
    quote: 'the run measures how long it takes until a list shows a new group',
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
    quote: 'A decimal string, `totalCount`, gives the matches across all pages',
    says: 'Every totalCount of an unchanged list equals its number of groups',
    alone: 'whole run',
  },
  async ({ run, evidence, atLeast }) => {
    const { met, astray } = run.client.ledger.totals
    atLeast(20, 'answers about unchanged lists', met)
    evidence.push(...astray.slice(0, 2).map(({ exchange }) => exchange))

    const wrong = astray.slice(0, 2).map(({ what }) => what)
    expect(wrong, 'totals that differ from the number of groups').toEqual([])
  },
)

requirement(
  {
    id: 'list.every-answer.belongs',
    level: 'must',
    statement: 'S4.8, S4.9, R15',
    quote: 'a List holds only resources that are anywhere below the group',
    says: 'No answer about an unchanged list shows an outside group or a duplicate',
    alone: 'whole run',
  },
  async ({ run, evidence, atLeast }) => {
    const { met, astray } = run.client.ledger.shown
    atLeast(20, 'answers that show results of unchanged lists', met)
    evidence.push(...astray.slice(0, 2).map(({ exchange }) => exchange))

    const wrong = astray.slice(0, 2).map(({ what }) => what)
    expect(wrong, 'answers with an outside group or a duplicate').toEqual([])
  },
)

requirement(
  {
    id: 'error.never-succeeds',
    level: 'must',
    statement: 'S7.1, R33',
    quote: 'a refusal with 2xx is a _must_ failure',
    says: 'No answer with a 2xx status has an error body',
    alone: 'whole run',
  },
  async ({ run, evidence, atLeast }) => {
    const { refusals, falseSuccesses } = run.client.ledger
    atLeast(1, 'errors', refusals.met + falseSuccesses.astray.length)
    const wrong = falseSuccesses.astray.slice(0, 2)
    evidence.push(...wrong.map(({ exchange }) => exchange))

    expect(
      wrong.map(({ what }) => what),
      'error bodies under a 2xx status',
    ).toEqual([])
  },
)

requirement(
  {
    id: 'error.details.once',
    level: 'should',
    statement: 'S7.1, R34',
    quote: 'each detail has an `@type`, the type URL of a standard RPC detail',
    says: 'No error of the run has two details of the same type',
    alone: 'whole run',
  },
  async ({ run, evidence, atLeast }) => {
    const { met, astray } = run.client.ledger.doubledDetails
    atLeast(1, 'refusals', met)
    evidence.push(...astray.slice(0, 1).map(({ exchange }) => exchange))

    expect(astray[0]?.what ?? none, 'a type with two details in one error').toBe(none)
  },
)

requirement(
  {
    id: 'service.rate-headers',
    level: 'observe',
    statement: 'S8.4, R43',
    quote: 'There are no rate limits during beta; general availability brings them',
    says: 'Which headers announce a rate limit',
    alone: 'whole run',
  },
  async ({ run, observe }) => {
    const names = [...run.client.ledger.headerNames]
    const announcing = names.filter((name) => /ratelimit|rate-limit|^retry-after$/.test(name)).sort()

    observe(announcing.length === 0 ? 'none' : announcing.join(', '))
  },
)

requirement(
  {
    id: 'time.digits',
    level: 'observe',
    statement: 'S2.4, R2',
    quote: 'with a precision of milliseconds',
    says: 'How many fraction digits a timestamp has',
    alone: 'whole run',
  },
  async ({ run, observe, atLeast }) => {
    const { form, digits } = run.client.ledger.times
    atLeast(10, 'timestamps', form.met)

    observe(digits.size === 1 ? `always ${[...digits]}` : `at most ${Math.max(...digits)}`)
  },
)
