import type { Report } from '../../schemas/types.ts'
import { sealed } from '../model/digests.ts'
import { writeAllure } from './allure.ts'
import { toBadge } from './badge.ts'
import { toCtrf } from './ctrf.ts'
import { toHar } from './har.ts'
import { toHtml } from './html/page.tsx'
import { toJunit } from './junit.ts'
import { toMarkdown } from './markdown.ts'
import { withinLimit } from './size-limit.ts'

/** A way to write a report down as a text. */
interface TextFormat {
  file: string
  says: string
  write(report: Report): string
}

/** A way to write it down as a folder of files. */
interface FolderFormat {
  folder: string
  says: string
  fill(report: Report, folder: string): Promise<void>
}

/** One way to write a report down. */
export type Format = TextFormat | FolderFormat

/** The report as data, as `schemas/report.json` describes it. */
const toJson = (report: Report) => `${JSON.stringify(sealed(report), null, 2)}\n`

/** Every format, by its name in `--report`; no file grows beyond five megabytes. */
export const formats = {
  json: file('report.json', 'all of it, for machines', toJson),
  html: file('report.html', 'for people, one self-contained page', (report) => toHtml(report)),
  md: file('report.md', 'for people, in Markdown', toMarkdown),
  junit: file('junit.xml', 'for CI systems', toJunit),
  ctrf: file('ctrf.json', 'for CI systems, in the Common Test Report Format', toCtrf),
  har: file(
    'exchanges.har',
    'every exchange of the trace, or those that the report keeps, for the developer tools of a browser',
    toHar,
  ),
  badge: file('badge.json', 'the verdict, for a shields.io endpoint badge', toBadge),
  allure: {
    folder: 'allure-results',
    says: 'a folder of results for Allure',
    fill: (report, folder) => writeAllure(JSON.parse(withinLimit(report, toJson)) as Report, folder),
  },
} satisfies Record<string, Format>

/** The page of a certificate: it also says who signed. */
export function certificatePage(report: Report, signedBy: string): string {
  return withinLimit(report, (each) => toHtml(each, [['signed by', signedBy]]))
}

/** The name of a format. */
export type FormatName = keyof typeof formats

/** What is written unless something else is asked for. */
export const usualFormats: readonly FormatName[] = ['json', 'md', 'html']

function file(name: string, says: string, write: (report: Report) => string): TextFormat {
  return { file: name, says, write: (report) => withinLimit(report, write) }
}
