import type { Exchange } from '../../schemas/types.ts'
import type { Row } from './outcome.ts'

/** True where a row rests on what a plain requirement tells. */
type Rests = (row: Pick<Row, 'header'>, acted: readonly Exchange[]) => boolean

/**
 * What a case may rest on, the plainest first: a requirement that tells one thing in a few calls, and which others need
 * just that thing. Of operations it is `<operation>.answers`, without standing here.
 */
const plain: readonly (readonly [id: string, under: Rests])[] = [
  ['error.never-succeeds', (_row, acted) => acted.some(refusesAsSuccess)],
  ['auth.required.get', family('auth.', 'sts.token.')],
  ['auth.refuses.other-signer', family('auth.', 'sts.token.')],
  ['sts.refuses.other-key', family('sts.refuses.')],
  ['sts.refuses.subject-other', family('sts.refuses.subject-', 'sts.refuses.other-identity', 'sts.match.')],
  ['sts.refuses.issuer-other', family('sts.refuses.issuer-', 'sts.refuses.other-identity')],
  ['time.clock', family('time.clock.', 'time.follows')],
  ['group.name.refuses.empty', family('group.name.refuses.', 'group.create.failed-leaves-nothing', 'error.body.')],
  ['group.name.refuses.newline-and-more', family('group.name.refuses.newline-', 'group.update.name.')],
  ...['upper-case', 'non-ascii', 'emoji', 'other-punctuation', 'newline-and-more'].map(
    (what) => [`group.name.refuses.${what}`, family('group.name.refuses.any-', 'group.update.name.any-')] as const,
  ),
  ['group.name.refuses.any-other', family('group.update.name.any-')],
  ['group.update.name.refused', family('group.update.name.any-')],
  ['group.name.accepts.digits', family('group.name.accepts.words')],
  ...['space', 'dot', 'underscore', 'hyphen'].map((what) => [`group.name.accepts.${what}`, ofNames] as const),
  [
    'group.list.same',
    family('group.list.', 'group.update.returns-', 'group.verified.', 'identity.list.', 'list.walk.same'),
  ],
  ['list.scope.children', asks('uidp.children_of')],
  ['list.scope.descendants', asks('uidp.descendants_of')],
  ['list.scope.descendants.never-issued', family('list.scope.')],
  ['list.page-size.asked', asks('page_size')],
  ['list.token.goes-on', asks('page_token')],
  ['list.page-size.default', family('list.page-size.default.', 'list.page-size.between')],
  ['list.page-size.maximum', asks('page_size', '200')],
  ['list.page-size.maximum', family('list.page-size.between')],
  ['list.filter.finds', asks('name')],
  ['list.filter.every-one', asks('name')],
  ['list.filter.exact', family('list.filter.')],
  ['list.filter.outside-scope', family('list.scope.children.named')],
  ['list.order.name', asks('order_by', 'name')],
  ['list.order.created_at', asks('order_by', 'created_at')],
  ['list.order.created_at-desc', asks('order_by', 'created_at desc')],
  ['list.skip.echo', asks('skip')],
  ['list.order.stable', (_row, acted) => acted.some(asksNoOrder)],
  ['list.walk.complete', asks('page_token')],
  ['list.walk.filter', asks('name')],
  ['list.skip.slice', asks('skip')],
  ['list.skip.filtered', family('list.walk.skip-filtered')],
  ['list.walk.skip-first', family('list.walk.skip-filtered')],
  ['list.total.counts', family('list.total.')],
  ['list.total.one-name', family('list.total.', 'list.empty.')],
  ['list.empty.answer', family('list.empty.', 'list.filter.outside-', 'group.delete.gone-', 'group.update.renamed-')],
  ['list.total.follows', family('list.walk.while-others.', 'list.scope.deleted', 'group.update.returns-')],
  ['list.total.crowd', (row) => row.header.id.endsWith('.crowd') || row.header.id.startsWith('list.total.')],
  ['group.update.time.advances', family('group.update.', 'update.', 'error.body.update')],
  ['group.update.mask.description', family('group.update.mask.', 'group.update.returns-unmasked', 'update.mask.')],
  ['group.update.mask.clears', family('update.mask.clears')],
  ['group.update.concurrent', family('update.concurrent')],
  ['update.keeps-omitted@identities', family('identity.claim-match.stays')],
  ['group.delete.gone-from-get', deletes],
  ['group.delete.gone-from-lists', deletes],
  ...['code', 'message', 'violation', 'shape'].map(
    (what) => [`group.delete.not-empty.${what}`, family('group.delete.not-empty.several')] as const,
  ),
  ['group.delete.not-empty.refused', family('group.delete.not-empty.', 'group.delete.holds-', 'group.delete.emptied')],
]

/** The ids of the requirements on which others may rest. */
export const plainIds: readonly string[] = plain.map(([id]) => id)

/** The rows of a run where each red one that rests on a plainer red one is blocked by that, which alone stays red. */
export function rootsFirst(rows: readonly Row[], accused: ReadonlySet<Row>): Row[] {
  const byId = new Map(rows.map((row) => [row.header.id, row]))
  const weighs = (cause: Row, row: Row) =>
    cause !== row && (cause.outcome === 'fail' || (cause.outcome === 'warning' && row.header.level !== 'must'))
  const red = (ids: readonly string[], row: Row) =>
    ids.map((id) => byId.get(id)).find((cause) => cause !== undefined && weighs(cause, row))
  // what rests on each other in a circle stays red
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
    const root = rootOf(row)
    return root ? { ...row, outcome: 'inconclusive', blockedBy: root.header.id } : row
  })

  function causeOf(row: Row): Row | undefined {
    if (row.outcome !== 'fail' && row.outcome !== 'warning') return undefined
    const { id } = row.header
    const acted = row.exchanges.filter(({ phase }) => phase === 'act')
    const walked = acted.length > 0 ? undefined : red(brokenWalks(row), row)
    if (walked) return walked
    if (id.endsWith('.answers')) return sameOnPlainerKind(row)
    const called = [...new Set(acted.map(({ operation }) => operation))]
    const operations = called.flatMap((name) => [`${name}.answers`, `group.${name.split('.').at(-1)}.answers`])
    // what came right in its own case and wrong in another's arrangement comes and goes: that alone explains nothing
    const steady = operations.filter((answers) => !accused.has(byId.get(answers)!))
    return red(steady, row) ?? red(plainerThan(row, acted), row) ?? plainerStory(row)
  }

  function sameOnPlainerKind(row: Row): Row | undefined {
    const operation = row.header.id.split('.').at(-2)
    const same = rows.filter(({ header: { id } }) => id.endsWith(`.${operation}.answers`))
    const first = [...same.filter(({ header }) => header.id === `group.${operation}.answers`), ...same]
    const plainest = first.find((other) => other === row || (weighs(other, row) && !accused.has(other)))
    return plainest === row ? undefined : plainest
  }

  function plainerStory({ header }: Row): Row | undefined {
    const { deeperThan = [] } = header
    return rows.find(
      (other) =>
        other.outcome === 'fail' &&
        other.header.deeperThan === undefined &&
        deeperThan.some((beginning) => other.header.id.startsWith(beginning)),
    )
  }
}

/** What a row rests on that was red before it acted: a walk broke by which what it shares with others was read. */
function brokenWalks({ header, exchanges }: Row): string[] {
  const [, kind] = header.id.split('@')
  const walked = asks('page_token')({ header }, exchanges)
  return walked ? ['list.token.goes-on', 'list.walk.complete', `list.walk.complete@${kind}`] : []
}

/** The plain requirements that a row rests on, on its own kind first, and then on groups. */
function plainerThan(row: Row, acted: readonly Exchange[]): string[] {
  const [claim = '', kind] = row.header.id.split('@')
  const own = plain.findIndex(([id]) => id === claim)
  return plain
    .slice(0, own < 0 ? plain.length : own)
    .filter(([, under]) => under(row, acted))
    .flatMap(([id]) => (kind === undefined ? [id] : [`${id}@${kind}`, id]))
}

function family(...beginnings: string[]): Rests {
  return ({ header }) => beginnings.some((beginning) => header.id.startsWith(beginning))
}

function ofNames({ header: { id } }: Pick<Row, 'header'>): boolean {
  const several = ['group.name.accepts.every-class', 'group.name.accepts.unusual', 'group.update.name.accepts']
  return several.includes(id) || id === 'list.filter.punctuation'
}

function asks(parameter: string, beginning = ''): Rests {
  // whom a list lets in hangs on nothing that it shows
  return ({ header }, acted) =>
    !header.id.startsWith('auth.') &&
    acted.some(({ operation, request }) => {
      const asked = new URL(request.url).searchParams.get(parameter)
      return operation.endsWith('.list') && asked?.startsWith(beginning) === true
    })
}

function asksNoOrder({ operation, request }: Exchange): boolean {
  return operation.endsWith('.list') && !new URL(request.url).searchParams.has('order_by')
}

function deletes(_row: Pick<Row, 'header'>, acted: readonly Exchange[]): boolean {
  return acted.some(({ operation }) => operation.endsWith('.delete'))
}

function refusesAsSuccess({ response }: Exchange): boolean {
  if (response === undefined || response.status > 299) return false
  // the body may be cut: what stands first tells
  return /^\s*\{\s*"code":\s*[1-9]\d?,\s*"message":/.test(response.body)
}
