import { present } from '../../schemas/present.ts'
import type { Case, Ending, Exchange, Report, Requirement } from '../../schemas/types.ts'
import { lastOf, namedExchange } from '../judge/evidence.ts'

/** The largest size of a file of a report, in bytes. */
const mostBytes = 4_900_000

/** How much evidence a report keeps: exchanges per requirement, and characters per text. */
interface Detail {
  exchanges: number
  characters: number
}

const lesser: Detail[] = [
  { exchanges: 60, characters: 4000 },
  { exchanges: 6, characters: 1000 },
  { exchanges: 2, characters: 250 },
  { exchanges: 0, characters: 80 },
]

/** The text that a writer makes from a report, with less and less evidence until it is at most `limit` bytes. */
export function withinLimit(report: Report, write: (report: Report) => string, limit = mostBytes): string {
  let text: string | undefined
  for (const detail of [undefined, ...lesser]) {
    const thin = detail ? thinner(report, detail) : report
    // what is beyond the limit as data need not be written first: its text could be too long to build
    if (detail !== lesser.at(-1) && outweighs(thin, limit)) continue
    text = write(thin)
    if (Buffer.byteLength(text) <= limit) break
  }
  return text!
}

/** Whether a report as data is longer than a limit; stops counting there, because it could be longer than any text. */
function outweighs({ requirements, cases = [] }: Report, limit: number): boolean {
  let room = limit
  return [...requirements, ...cases].some((one) => {
    room -= JSON.stringify(one).length
    return room < 0
  })
}

function thinner(report: Report, detail: Detail): Report {
  const cut = cutAt(detail.characters)
  return {
    ...report,
    problems: report.problems.slice(0, 100).map(cut),
    left: report.left.map(cut),
    requirements: report.requirements.map((one) => withLess(one, detail)),
    ...(report.cases ? { cases: report.cases.map((one) => caseWithLess(one, detail)) } : {}),
  }
}

function caseWithLess({ ending, exchanges, ...rest }: Case, detail: Detail): Case {
  const cut = cutAt(detail.characters)
  const texts = Object.entries(ending).map(([name, value]) => [name, typeof value === 'string' ? cut(value) : value])
  return {
    ...rest,
    ending: Object.fromEntries(texts) as Ending,
    exchanges: fewer(exchanges, detail, namedExchange(ending, exchanges)),
  }
}

function fewer(exchanges: readonly Exchange[], { exchanges: most, characters }: Detail, where?: string): Exchange[] {
  return lastOf(exchanges, most, where).map((each) => exchangeWithLess(each, cutAt(characters)))
}

function withLess({ exchanges = [], steps, ...rest }: Requirement, detail: Detail): Requirement {
  const cut = cutAt(detail.characters)
  const texts = (['note', 'expected', 'got', 'where', 'observed'] as const).flatMap((name) => {
    const text = rest[name]
    return text === undefined ? [] : [[name, cut(text)] as const]
  })
  const kept = fewer(exchanges, detail, namedExchange(rest, exchanges))
  return {
    ...rest,
    ...Object.fromEntries(texts),
    ...present({ steps: steps?.slice(-60).map(cut) }),
    ...(kept.length > 0 ? { exchanges: kept } : {}),
  }
}

function exchangeWithLess({ request, response, silence, ...rest }: Exchange, cut: Cut): Exchange {
  const headers = (all: Record<string, string>) =>
    Object.fromEntries(
      Object.entries(all)
        .slice(0, 30)
        .map(([name, value]) => [cut(name), cut(value)]),
    )
  return {
    ...rest,
    request: {
      ...request,
      url: cut(request.url),
      headers: headers(request.headers),
      ...present({ body: request.body && cut(request.body) }),
    },
    ...present({
      response: response && { ...response, headers: headers(response.headers), body: cut(response.body) },
      silence: silence && cut(silence),
    }),
  }
}

type Cut = (text: string) => string

function cutAt(characters: number): Cut {
  return (text) => (text.length > characters ? `${text.slice(0, characters)}… (cut)` : text)
}
