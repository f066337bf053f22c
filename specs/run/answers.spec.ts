import { expect } from 'vitest'
import { everyAnswer } from '../../helpers/case/every-answer.ts'
import { requirement } from '../../helpers/case/requirement.ts'

requirement(
  {
    id: 'error.domain',
    level: 'must',
    statement: 'S7.2, R35',
    quote: 'All errors of S7.5 and S7.6 must have the same `domain`',
    says: 'The errors of bad names on Create and of full groups on Delete name the same domain',
    alone: 'whole run',
  },
  async ({ run, evidence, atLeast }) => {
    const { met, unlike } = run.allAnswers.domains.http
    atLeast(2, 'such errors with an ErrorInfo', met)
    const [first, other] = unlike
    if (other) evidence.push(first!.exchange, other.exchange)

    expect(first!.domain ?? '', 'the domain of an ErrorInfo').toEqual(expect.stringMatching(/./))
    expect((other ?? first!).domain, 'the domain of another ErrorInfo').toBe(first!.domain)
  },
)

requirement(
  {
    id: 'grpc.error.domain.all',
    level: 'must',
    statement: 'S1.5, S7.2, R35, R60',
    quote: 'All errors of S7.5 and S7.6 must have the same `domain`',
    restsOn: ['error.domain', 'grpc.error.domain'],
    says: 'The errors of bad names and full groups over gRPC name one domain, that of HTTP',
    alone: 'whole run',
  },
  async ({ run, evidence, atLeast }) => {
    await run.grpcSupport.mustBeServed()
    const { http, grpc } = run.allAnswers.domains
    atLeast(1, 'such errors over gRPC with an ErrorInfo', grpc.met)
    const [known] = [...http.unlike, ...grpc.unlike]
    const other = grpc.unlike.find(({ domain }) => domain !== known!.domain)
    if (other) evidence.push(known!.exchange, other.exchange)

    expect((other ?? known!).domain, 'the domain of an ErrorInfo over gRPC').toBe(known!.domain)
  },
)

everyAnswer(
  {
    id: 'service.nulls',
    level: 'should',
    statement: 'S2.7, S2.9, R46, R13',
    quote: '`null` is a warning for a member that is not set',
    says: 'An unset member is absent or empty, never null',
  },
  { of: ({ nulls }) => nulls, least: 1, what: 'successful answers', expected: 'no unset member that is null' },
)

everyAnswer(
  {
    id: 'service.json',
    over: 'http',
    level: 'should',
    statement: 'S1.6, R33',
    quote: 'The content type _should_ be JSON, on errors and on success',
    says: 'Every successful answer with a body has a JSON content type',
  },
  {
    of: ({ bodies }) => bodies.typed,
    least: 1,
    what: 'successful answers with a body',
    expected: 'a JSON content type',
  },
)

everyAnswer(
  {
    id: 'service.encoding',
    over: 'http',
    level: 'should',
    statement: 'S1.6, R51',
    quote: 'Over HTTP, bodies are JSON',
    says: 'The body of every successful answer is valid UTF-8',
  },
  { of: ({ bodies }) => bodies.encoded, least: 1, what: 'successful answers with a body', expected: 'a body in UTF-8' },
)

everyAnswer(
  {
    id: 'service.faults',
    level: 'should',
    statement: 'S7.1, R20, R33',
    quote: '4xx for mistakes of the client is _should_ (5xx is a warning, since statuses are not shown)',
    says: 'No request of the run causes an internal server error',
  },
  {
    of: ({ faults }) => faults,
    least: 1,
    what: 'answers',
    met: ({ successes, refusals }) => successes.met + refusals.met,
    expected: 'a status below 500',
  },
)

everyAnswer(
  {
    id: 'service.discreet',
    level: 'should',
    statement: 'S7.1',
    quote: 'the string `message` and the array `details`',
    says: "No refusal reveals a stack trace, a database statement or the caller's token",
  },
  { of: ({ indiscretions }) => indiscretions, least: 1, what: 'refusals', expected: 'nothing internal and no token' },
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
    over: 'http',
    level: 'should',
    statement: 'S2.2, R48',
    quote: 'The slashes of a uid are written in the path as they are',
    says: 'A path accepts the slashes of a uid unencoded',
    alone: 'whole run',
  },
  async ({ run, runGroup }) => {
    expect(runGroup.uid, 'the uid of the scratch group').toEqual(expect.any(String))
    const works = run.paths.encodesSlashes ? 'only %2F works' : 'slashes work'
    expect(works, 'a uid in a path').toBe('slashes work')
  },
)

everyAnswer(
  {
    id: 'error.never-succeeds',
    level: 'must',
    statement: 'S7.1, R33',
    quote: 'a refusal with 2xx is a _must_ failure',
    says: 'No answer with a 2xx status has an error body',
  },
  {
    of: ({ falseSuccesses }) => falseSuccesses,
    least: 1,
    what: 'errors',
    met: ({ refusals, falseSuccesses }) => refusals.met + falseSuccesses.astray.length,
    expected: 'an error status for an error body',
  },
)

everyAnswer(
  {
    id: 'error.details.once',
    level: 'should',
    statement: 'S7.1, R34',
    quote: 'each detail has an `@type`, the type URL of a standard RPC detail',
    says: 'No refusal of a bad name or a full group has two details of the same type',
  },
  {
    of: ({ doubledDetails }) => doubledDetails,
    least: 1,
    what: 'refusals of a bad name or a full group',
    expected: 'each detail type at most once',
    got: (type) => `two details of ${type}`,
  },
)

everyAnswer(
  {
    id: 'service.uids',
    level: 'should',
    statement: 'S2.1, R28',
    quote: 'That something new never gets the uid of something deleted is _should_',
    restsOn: ['group.delete.uid-stays-dead'],
    says: 'No new group, identity or role binding gets the uid of a deleted one',
  },
  {
    of: ({ spentUids }) => spentUids.reused,
    least: 1,
    what: 'creates',
    expected: 'a uid that no deleted one has had',
  },
)

requirement(
  {
    id: 'service.rate-headers',
    over: 'http',
    level: 'observe',
    statement: 'S8.4, R43',
    quote: 'There are no rate limits during beta; general availability brings them',
    says: 'Which headers announce a rate limit',
    alone: 'whole run',
  },
  async ({ run, observe }) => {
    const names = [...run.allAnswers.headerNames]
    const announcing = names.filter((name) => /ratelimit|rate-limit|^retry-after$/.test(name)).sort()

    observe(announcing.length === 0 ? 'none' : announcing.join(', '))
  },
)
