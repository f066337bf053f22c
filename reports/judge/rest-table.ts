import type { Exchange } from '../../schemas/types.ts'
import type { Row } from './outcome.ts'

// Used only for a requirement without `restsOn`, and to be deleted once every header has it.

/** True where a row rests on what a plain requirement tells. */
type Rests = (row: Pick<Row, 'header'>, acted: readonly Exchange[]) => boolean

/**
 * What a case may rest on, the plainest first: a requirement that tells one thing in a few calls, and which others need
 * just that thing. Of operations it is `<operation>.answers`, without standing here.
 */
const plain: readonly (readonly [id: string, under: Rests])[] = [
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

/** The plain requirements that a row rests on, on its own kind first, and then on groups. */
export function plainerThan(row: Row, acted: readonly Exchange[]): string[] {
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
