import type { Report } from '../../schemas/types.ts'

const colours: Record<Report['verdict'], string> = {
  conformant: 'brightgreen',
  partial: 'yellow',
  undetermined: 'lightgrey',
  nonconformant: 'red',
}

/** The verdict for a shields.io endpoint badge. */
export function toBadge({ verdict, totals: { must }, selection: { profiles } }: Report): string {
  const part = profiles.length > 0 ? ` of ${profiles.join(', ')}` : ''
  const badge = {
    schemaVersion: 1,
    label: 'API contract',
    message: `${verdict} ${must.passed}/${must.total}${part}`,
    color: colours[verdict],
    ...(verdict === 'nonconformant' ? { isError: true } : {}),
  }
  return `${JSON.stringify(badge)}\n`
}
