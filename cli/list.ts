import { collectHeaders } from './collect.ts'

/** `list`: prints every requirement, as the specs state it. */
export async function listCommand({ json = false }: { json?: boolean }): Promise<void> {
  const rows = (await collectHeaders()).map(({ id, level, profile = 'core', statement, says }) => ({
    id,
    level,
    profile,
    statement,
    says,
  }))
  if (json) {
    process.stdout.write(`${JSON.stringify(rows, null, 2)}\n`)
    return
  }
  const width = Math.max(...rows.map(({ id }) => id.length))
  const lines = rows.map(
    ({ id, level, profile, statement, says }) =>
      `${id.padEnd(width)}  ${level.padEnd(7)}  ${profile.padEnd(10)}  ${says} (${statement})\n`,
  )
  process.stdout.write(lines.join(''))
}
