import type { Details, Judging } from '../judging.ts'
import type { Asked } from '../observation.ts'
import { rowOf } from '../rows.ts'

/** Judges whether a write that was taken had to be refused; what v1 takes is a *should*, for its writes are not shown (R45, R49). */
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
