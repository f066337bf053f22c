import type { Header } from '../../helpers/requirement/header.ts'
import { groupBy, sectionOf } from '../../reports/model/report.ts'
import { type Contract, statementsCited } from '../../reports/text/contract.ts'

/** Every requirement as a page in Markdown: by section of the contract and family, the kinds of one claim in one row. */
export function generateRequirements(headers: readonly Header[], contract: Contract): string {
  const counts = ['must', 'should', 'observe'].map(
    (level) => `${headers.filter((header) => header.level === level).length} *${level}*`,
  )
  const bySection = groupBy(headers, ({ statement }) => sectionOf(statement, contract))
  const sections = [...contract.sections.map(({ number, title }) => `${number} ${title}`), 'Rulings']
  return [
    '<!-- Made from the headers of the specs by `npm run docs`; do not edit. -->',
    '# The requirements',
    `The suite asks ${headers.length} requirements of a server: ${counts.join(', ')}. Each stems from statements (\`S4.23\`) and rulings (\`R14\`) of the [contract](../specs/contract.md); *must* is what it promises, *should* a reasonable reading, *observe* what it leaves open. A claim about several kinds has one row: on any kind but groups \`@\` and the kind are added to its id, as in \`list.skip.echo@roles\`. \`rmapi-conformance explain list.skip.echo\` says more about one of them, and shows it pass and fail.`,
    ...sections.flatMap((section) => sectionBlocks(section, bySection.get(section) ?? [])),
    '',
  ]
    .join('\n\n')
    .trimEnd()
    .concat('\n')
}

function sectionBlocks(section: string, headers: readonly Header[]): string[] {
  if (headers.length === 0) return []
  const families = groupBy(headers, ({ id }) => id.slice(0, id.indexOf('.')))
  return [
    `## ${section}`,
    ...[...families].flatMap(([family, own]) => [`### ${section.split(' ')[0]}: ${family}`, tableOf(own)]),
  ]
}

function tableOf(headers: readonly Header[]): string {
  const claims = [...groupBy(headers, ({ id }) => baseOf(id)).values()].flatMap(claimsOf)
  return [
    '| requirement | level and profile | stems from | claim |',
    '|---|---|---|---|',
    ...claims.map(([claim, own]) => {
      const bindings = groupBy(own, ({ level, profile = 'core' }) => `*${level}*, ${profile}`)
      const asked = [...bindings].map(([binding, some]) => binding + (isPlain(own) ? '' : `: ${kindsIn(some)}`))
      const cited = new Set(own.flatMap(({ statement }) => statementsCited(statement)))
      return `| \`${baseOf(own[0]!.id)}\` | ${asked.join('<br>')} | ${[...cited].join(', ')} | ${plain(claim)} |`
    }),
  ].join('\n')
}

/** The claims under one id: one where the kinds share a sentence, or one except for the name of the kind. */
function claimsOf(headers: Header[]): [claim: string, own: Header[]][] {
  const bare = groupBy(headers, bareClaim)
  if (bare.size === 1) return [...bare]
  const alike = groupBy(headers, (header) =>
    bareClaim(header).replace(new RegExp(`\\b(of|on) ${kindOf(header.id)}\\b`), '$1 …'),
  )
  return [...alike].flatMap(([claim, own]): [string, Header[]][] => {
    const same = groupBy(own, bareClaim)
    return same.size === 1 ? [...same] : [[claim, own]]
  })
}

const baseOf = (id: string) => id.replace(/@.*$/, '')
const kindOf = (id: string) => id.split('@')[1] ?? 'groups'
const bareClaim = ({ id, says }: Header) => says.replace(` (${kindOf(id)})`, '')

const isPlain = (headers: readonly Header[]) => headers.length === 1 && !headers[0]!.id.includes('@')
const kindsIn = (headers: readonly Header[]) =>
  headers.map(({ id }) => (id.includes('@') ? `@${kindOf(id)}` : 'groups')).join(', ')

/** A sentence as Markdown shows it: nothing of it acts. */
function plain(text: string): string {
  return text.replace(/[\\`*[\]|<]/g, '\\$&')
}
