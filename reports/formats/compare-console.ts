import type { Change, ComparedRequirement, Comparison } from '../../schemas/types.ts'
import { changeKinds, regressions, remarksOn } from '../model/compare.ts'
import { visible } from '../text/visible-text.ts'

/** What changed, a line each, worst first, and a last line with counts; for a matrix, what differs. Never coloured. */
export function comparisonToConsole(comparison: Comparison): string {
  const { of, columns, rows, changes } = comparison
  const heads = [
    ...columns.map(
      ({ name, version, startedAt, line }, at) =>
        `${at + 1}. ${visible(name, 80)}, version ${visible(version, 40)}, ${startedAt}: ${line}`,
    ),
    ...remarksOn(comparison).map((remark) => visible(remark, 2000)),
  ]
  const changed = changeKinds.flatMap((kind) =>
    changes.flatMap((change) =>
      change.kind === kind
        ? [
            `${kind.toUpperCase().padEnd(11)} ${change.id}${columns.length > 2 ? ` (in ${change.at + 1})` : ''}`,
            ...beforeAndNow(change),
          ]
        : [],
    ),
  )
  if (of === 'matrix') {
    const differing = rows.filter(({ differs }) => differs)
    const lines = differing.map(
      (row) => `${row.id}: ${columns.map((_, at) => visible(saidOf(row, at), 80)).join(' | ')}`,
    )
    return [
      ...heads,
      '',
      ...lines,
      ...changed,
      `COMPARE reports=${columns.length} requirements=${rows.length} differ=${differing.length}`,
      '',
    ].join('\n')
  }
  const counts = changeKinds.map((kind) => `${kind}=${changes.filter((change) => change.kind === kind).length}`)
  return [
    ...heads,
    '',
    ...changed,
    `COMPARE ${counts.join(' ')} regressions=${regressions(comparison).length}`,
    '',
  ].join('\n')
}

/** What a report says of a requirement, in a word or two: the outcome, or what was seen. */
function saidOf({ outcomes, observed }: ComparedRequirement, at: number): string {
  return observed[at] ?? outcomes[at] ?? 'not examined'
}

function beforeAndNow({ before, now }: Change): string[] {
  const line = (name: string, text: string | undefined) =>
    text === undefined ? [] : [`  ${name.padEnd(6)} ${visible(text, 300)}`]
  return [...line('before', before), ...line('now', now)]
}
