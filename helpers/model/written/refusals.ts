import type { Details, Judging } from '../judging.ts'
import type { Asked } from '../observation.ts'
import { rowOf } from '../rows.ts'

/** Judges a write that was taken and had to be refused: in v1 that is a *should*, whose writes are not shown (R45, R49). */
export function checkRefused(
  judging: Judging,
  { kind, version }: Asked,
  holds: boolean,
  expected: unknown,
  got: unknown,
  details: Details,
): void {
  judging.row(version === 'v1' ? 'model.v1.update' : rowOf(kind, 'refusal'), holds, expected, got, details)
}
