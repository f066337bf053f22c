import { visible } from '../../reports/text/visible-text.ts'
import { settledSettings } from './flags.ts'

/** `run --print-config`: every setting as a run would have it, and where that comes from; sends nothing. */
export function printConfig(flags: Record<string, unknown>): void {
  const rows = settledSettings(flags)
  const width = Math.max(...rows.map(({ setting }) => setting.length))
  const lines = rows.map(({ setting, value = '', from }) =>
    `${setting.padEnd(width)}  ${from.padEnd(11)}  ${visible(value)}`.trimEnd(),
  )
  process.stdout.write(flags.json ? `${JSON.stringify(rows, null, 2)}\n` : `${lines.join('\n')}\n`)
}
