import { present } from '../../schemas/present.ts'
import type { Exchange, Header } from '../../schemas/types.ts'
import { mayExplain } from './explains.ts'
import type { Row } from './outcome.ts'
import { tooLittle } from './remedies.ts'

/**
 * The rows of a run, each red one blocked by the more basic one that explains it. `catalogue` holds all requirements:
 * what a claim rests on is followed through those that the run left out.
 */
export function rootsFirst(rows: readonly Row[], accused: ReadonlySet<Row>, catalogue: readonly Header[]): Row[] {
  const byId = new Map(rows.map((row) => [row.header.id, row]))
  const headers = new Map([...catalogue, ...rows.map(({ header }) => header)].map((header) => [header.id, header]))
  const weighs = (cause: Row, row: Row) =>
    cause !== row && (cause.outcome === 'fail' || (cause.outcome === 'warning' && row.header.level !== 'must'))
  const red = (ids: readonly string[], row: Row) =>
    ids.map((id) => byId.get(id)).find((cause) => cause !== undefined && weighs(cause, row))
  // claims that rest on each other stay red
  const rootOf = (row: Row): Row | undefined => {
    const passed = [row]
    for (let cause = causeOf(row); cause !== undefined; cause = causeOf(cause)) {
      if (passed.includes(cause)) return undefined
      passed.push(cause)
    }
    return passed.length > 1 ? passed.at(-1) : undefined
  }
  return rows.map((row) => {
    if (row.blockedBy !== undefined) {
      const root = rootOf(byId.get(row.blockedBy) ?? row)
      return root ? { ...row, blockedBy: root.header.id } : row
    }
    const { red: ground, open } = isTooLittle(row) ? underLittle(row) : {}
    const refused = refusedOf(row) ?? ground
    const root = rootOf(row) ?? (refused && (rootOf(refused) ?? refused))
    if (root) return { ...row, outcome: 'inconclusive', blockedBy: root.header.id }
    return open ? { ...row, note: `${row.note}, because ${open.header.id} is undecided: ${open.note}` } : row
  })

  function causeOf(row: Row): Row | undefined {
    if (row.outcome !== 'fail' && row.outcome !== 'warning') return undefined
    const { id } = row.header
    const acted = actsOf(row)
    const walked = acted.length > 0 ? undefined : red(brokenWalks(row), row)
    if (walked) return walked
    if (id.endsWith('.answers')) return sameOnPlainerKind(row)
    const called = [...new Set(acted.map(({ operation }) => operation))]
    const operations = called.flatMap((name) => [`${name}.answers`, `group.${name.split('.').at(-1)}.answers`])
    // an operation that fails now and then explains nothing
    const steady = operations.filter((answers) => !accused.has(byId.get(answers)!))
    return red(steady, row) ?? plainer(row, acted)
  }

  /** Why a row has found too little: an operation that it called and that never answers. */
  function refusedOf(row: Row): Row | undefined {
    if (row.outcome !== 'inconclusive') return undefined
    const refused = row.exchanges.filter(({ response }) => response === undefined || response.status > 299)
    return red([...new Set(refused.map(({ operation }) => `${operation}.answers`))], row)
  }

  /** What a row that found too little rests on: what is red, and what was not decided for a reason of its own. */
  function underLittle(row: Row): { red?: Row; open?: Row } {
    const [, family] = /^model\.(\w+)\./.exec(row.header.id) ?? []
    // a row of the model rests on much that has nothing to do with how many answers it judged
    const grounds = groundsOf(row.header).filter(({ header }) => !family || header.id.startsWith(`${family}.`))
    const blocker = grounds.find(({ blockedBy }) => blockedBy !== undefined)?.blockedBy
    return present({
      red: grounds.find((ground) => weighs(ground, row)) ?? byId.get(blocker ?? ''),
      open: grounds.find((ground) => ground.outcome === 'inconclusive' && ground.note && !isTooLittle(ground)),
    })
  }

  function plainer(row: Row, acted: readonly Exchange[]): Row | undefined {
    const anywhere = red(acted.some(refusesAsSuccess) ? ['error.never-succeeds'] : [], row)
    const [judged] = isOfModel(row) ? acted : []
    const explains = ({ header }: Row) => judged === undefined || mayExplain(header.id, row, judged)
    return anywhere ?? groundsOf(row.header).find((ground) => weighs(ground, row) && explains(ground))
  }

  /**
   * What a claim rests on, the most basic first: before each of `restsOn` comes what that one rests on, unless it passed:
   * what did not keep it from holding explains nothing here.
   */
  function groundsOf({ id, restsOn = [] }: Header, seen = new Set([id])): Row[] {
    const [, kind] = id.split('@')
    const named = restsOn.flatMap((name) => {
      const ofKind = `${name}@${kind}`
      if (!name.includes('*')) return headers.has(ofKind) ? ofKind : name
      const globs = [globOf(name), globOf(ofKind)]
      return [...headers.keys()].filter((other) => globs.some((glob) => glob.test(other)))
    })
    return named.flatMap((name) => {
      const ground = headers.get(name)
      if (ground === undefined || seen.has(name)) return []
      seen.add(name)
      const row = byId.get(name)
      return row?.outcome === 'pass' ? [] : [...groundsOf(ground, seen), ...(row ? [row] : [])]
    })
  }

  function sameOnPlainerKind(row: Row): Row | undefined {
    const operation = row.header.id.split('.').at(-2)
    const same = rows.filter(({ header: { id } }) => id.endsWith(`.${operation}.answers`))
    const first = [...same.filter(({ header }) => header.id === `group.${operation}.answers`), ...same]
    const plainest = first.find((other) => other === row || (weighs(other, row) && !accused.has(other)))
    return plainest === row ? undefined : plainest
  }
}

/** True for a row that could not be decided because what it judges was found too seldom. */
const isTooLittle = ({ outcome, note = '' }: Row) => outcome === 'inconclusive' && tooLittle.test(note)

const isOfModel = ({ header }: Row) => header.id.startsWith('model.')

/** The calls that a row is about: the one that a row of the model judged, or all that its case acted with. */
function actsOf({ where, exchanges }: Row): Exchange[] {
  const judged = exchanges.find(({ number }) => where === `exchange ${number}`)
  return judged ? [judged] : exchanges.filter(({ phase }) => phase === 'act')
}

/** A glob whose stars leave out the kind: what fails on one kind explains nothing about another. */
function globOf(glob: string): RegExp {
  const literal = glob.split('*').map((part) => part.replace(/[.+?^${}()|[\]\\]/g, '\\$&'))
  return new RegExp(`^${literal.join('[^@]*')}$`)
}

/** What explains a row that was red before it acted: the walk that read the list it shares with others. */
function brokenWalks({ header, exchanges }: Row): string[] {
  const [, kind] = header.id.split('@')
  return !header.id.startsWith('auth.') && walks(exchanges)
    ? ['list.token.goes-on', 'list.walk.complete', `list.walk.complete@${kind}`]
    : []
}

/** True if a list was read page by page. */
const walks = (exchanges: readonly Exchange[]) =>
  exchanges.some(({ operation, request }) => operation.endsWith('.list') && /[?&]page_token=/.test(request.url))

function refusesAsSuccess({ response }: Exchange): boolean {
  if (response === undefined || response.status > 299) return false
  // the body may be cut, so only its beginning counts
  return /^\s*\{\s*"code":\s*[1-9]\d?,\s*"message":/.test(response.body)
}
