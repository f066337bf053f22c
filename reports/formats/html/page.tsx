import { createHash } from 'node:crypto'
import { render } from 'preact-render-to-string'
import type { Report } from '../../../schemas/types.ts'
import { verdictLine } from '../../judge/verdict.ts'
import { baselineLines } from '../../model/baseline.ts'
import { claimsOf } from '../../model/claims.ts'
import { findingsOf, withOutcome } from '../../model/select.ts'
import { visible } from '../../text/visible-text.ts'
import { Counts } from './counts.tsx'
import { Findings } from './findings.tsx'
import { Listing } from './listing.tsx'
import { type Further, Masthead } from './masthead.tsx'
import { script } from './script.ts'
import { style } from './style.ts'
import { Inconclusive, NotOffered, Observed, Outside, Problems, Words } from './tables.tsx'
import { Timing } from './timing.tsx'

/**
 * The report as one page that holds all it needs: it loads nothing, and runs only its own script. `further` is
 * listed beside the facts of the run, such as who signed.
 */
export function toHtml(report: Report, further: Further = []): string {
  return `<!doctype html>\n${render(<Page report={report} further={further} />)}\n`
}

const digest = (text: string) => `'sha256-${createHash('sha256').update(text).digest('base64')}'`

const policy = [
  "default-src 'none'",
  `style-src ${digest(style)}`,
  `script-src ${digest(script)}`,
  'img-src data:',
  "base-uri 'none'",
  "form-action 'none'",
].join('; ')

function Page({ report, further }: { report: Report; further: Further }) {
  const { verdict, target, suite, totals } = report
  return (
    <html lang="en">
      <head>
        <meta charset="utf-8" />
        <meta http-equiv="Content-Security-Policy" content={policy} />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta name="color-scheme" content="light dark" />
        <meta name="referrer" content="no-referrer" />
        <meta name="generator" content={`${suite.name} ${suite.version}`} />
        <title>{`${verdict}: ${visible(target.name, 80)}`}</title>
        <link rel="icon" href="data:," />
        <style dangerouslySetInnerHTML={{ __html: style }} />
      </head>
      <body>
        <a class="skip" href="#main">
          Skip to the results
        </a>
        <Masthead report={report} further={further} />
        <Contents report={report} />
        <main id="main" tabIndex={-1}>
          <Problems report={report} />
          <Counts report={report} />
          <Findings report={report} />
          <Inconclusive report={report} />
          <NotOffered report={report} />
          <Listing report={report} />
          <Observed report={report} />
          <Timing report={report} />
          <Outside report={report} />
          <Words report={report} />
        </main>
        <footer>
          <code>{verdictLine(verdict, totals)}</code>
          <label class="print-all">
            <input type="checkbox" id="print-all" /> Print everything, not only the verdict and the findings
          </label>
          <p>
            {suite.name} {suite.version}. Secrets were taken out of every call before it was written down.
          </p>
        </footer>
        <script dangerouslySetInnerHTML={{ __html: script }} />
      </body>
    </html>
  )
}

function Contents({ report }: { report: Report }) {
  const { requirements, notExamined, problems, left, kept = [] } = report
  const outside = notExamined.filter((one) => one.outside !== undefined).length
  const parts: [id: string, title: string, count: number][] = [
    ['problems', 'Not whole', problems.length],
    ['baseline', 'Known deviations', baselineLines(report).length],
    ['left', 'Left behind', left.length],
    ['kept', 'Kept', kept.length],
    ['findings', 'Findings', findingsOf(report).length],
    ['inconclusive', 'Inconclusive', withOutcome(requirements, 'inconclusive').length],
    ['not-offered', 'Not offered', withOutcome(requirements, 'not offered').length],
    ['requirements', 'Claims', claimsOf(requirements).length],
    ['observed', 'Observed', withOutcome(requirements, 'observed').length],
    ['timing', 'Timing', requirements.length],
    ['not-examined', 'Not examined', notExamined.length - outside],
    ['outside', 'Outside the certificate', outside],
    ['contract', 'Contract', requirements.length],
  ]
  return (
    <nav class="contents" aria-label="Contents">
      <a href="#summary">Summary</a>
      {parts.map(([id, title, count]) =>
        count > 0 ? (
          <a key={id} href={`#${id}`}>
            {title}
          </a>
        ) : null,
      )}
    </nav>
  )
}
