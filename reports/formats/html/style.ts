import { details } from './style-details.ts'

/** How the page looks: system letters, few colours, light and dark as the reader has it, and on paper. */
export const style = `
:root {
  --paper: #fff; --soft: #f6f7f8; --line: #e1e4e8; --ink: #1b1f24; --dim: #57606a; --link: #0757b8;
  --pass: #1a7f37; --fail: #c4232f; --warning: #8a5a00; --observed: #1f63b5; --inconclusive: #6a5a92; --error: #a3267e;
  --neutral: #8b949e;
  --mono: ui-monospace, SFMono-Regular, 'SF Mono', Menlo, Consolas, 'Liberation Mono', monospace;
  color-scheme: light dark;
}
@media screen and (prefers-color-scheme: dark) {
  :root {
    --paper: #0f1216; --soft: #171b21; --line: #2b313a; --ink: #e3e7ec; --dim: #98a2ae; --link: #7cb4ff;
    --pass: #4cb96a; --fail: #ff7b76; --warning: #dba642; --observed: #79b0f5; --inconclusive: #b5a3e6; --error: #ef86cb;
    --neutral: #6e7681;
  }
}
* { box-sizing: border-box }
html { scroll-padding-top: 3.5rem; -webkit-text-size-adjust: 100% }
body {
  margin: 0 auto; padding: 0 1.5rem 4rem; max-width: 68rem; background: var(--paper); color: var(--ink);
  font: 1rem/1.55 system-ui, -apple-system, 'Segoe UI', Roboto, 'Helvetica Neue', Arial, sans-serif;
  overflow-wrap: anywhere;
}
a { color: var(--link); text-decoration-thickness: 1px; text-underline-offset: .18em }
:focus-visible { outline: 2px solid var(--link); outline-offset: 2px; border-radius: 3px }
main:focus { outline: 0 }
h1, h2, h3, h4, p, dl, dd, ul, ol, figure, fieldset, pre { margin: 0; padding: 0 }
a.id { text-underline-offset: .3em }
code, pre, .id { font: .8125rem/1.5 var(--mono) }
[hidden] { display: none !important }
.skip { position: absolute; left: -999rem; background: var(--paper); padding: .5rem 1rem; z-index: 3 }
.skip:focus { left: 1rem; top: 1rem }
.count { color: var(--dim); font-weight: 400; font-variant-numeric: tabular-nums; margin-left: .4em; font-size: .85em }
.hint, .meta { color: var(--dim); font-size: .875rem }
p.hint { margin: -.5rem 0 1rem }
.seen, .command pre { unicode-bidi: isolate }

.masthead { padding: 3.5rem 0 2rem }
.kicker { color: var(--dim); font-size: .875rem }
h1 { display: flex; align-items: center; gap: .75rem; margin: .75rem 0 .5rem; font-size: 2.75rem; line-height: 1.1;
  letter-spacing: -.025em; font-weight: 650; color: var(--tone) }
.sign { flex: none; fill: var(--tone) }
.sign path { fill: none; stroke: var(--paper); stroke-width: 2; stroke-linecap: round; stroke-linejoin: round }
.masthead { --tone: var(--neutral) }
.masthead.conformant { --tone: var(--pass) }
.masthead.nonconformant { --tone: var(--fail) }
.masthead.partial { --tone: var(--warning) }
.masthead.undetermined { --tone: var(--inconclusive) }
.who { font-size: 1.25rem; font-weight: 600 }
.version { color: var(--dim); font-weight: 400 }
.lead { font-size: 1.125rem; max-width: 46rem; margin-top: .25rem }
.cause { margin-top: .5rem }
.figures { display: grid; grid-template-columns: repeat(auto-fit, minmax(9rem, 1fr)); gap: 1px; margin: 2rem 0 1.5rem;
  background: var(--line); border: 1px solid var(--line); border-radius: 8px; overflow: hidden }
.figures > div { background: var(--paper); padding: .875rem 1rem }
.figures dt { color: var(--dim); font-size: .8125rem }
.figures dd { font-size: .8125rem; color: var(--dim) }
.figures strong { display: block; font-size: 1.75rem; line-height: 1.25; font-weight: 600; letter-spacing: -.02em;
  color: var(--ink); font-variant-numeric: tabular-nums }
.figures .fail strong { color: var(--fail) }
.figures .warning strong { color: var(--warning) }
.figures .inconclusive strong { color: var(--inconclusive) }
.figures .error strong { color: var(--error) }
.facts { display: grid; grid-template-columns: repeat(auto-fill, minmax(15rem, 1fr)); gap: .375rem 2rem; font-size: .875rem }
.facts > div { display: flex; gap: .5rem }
.facts dt { color: var(--dim); flex: none; min-width: 5.5rem }

.contents { position: sticky; top: 0; z-index: 2; display: flex; gap: 1.25rem; overflow-x: auto; padding: .75rem 0;
  background: var(--paper); border-bottom: 1px solid var(--line); font-size: .875rem; scrollbar-width: none }
.contents a { color: var(--dim); text-decoration: none; white-space: nowrap }
.contents a:hover { color: var(--ink) }

main > section { padding-top: 2.75rem }
h2 { font-size: 1.375rem; letter-spacing: -.015em; line-height: 1.3; margin-bottom: 1rem; font-weight: 620 }
h3 { font-size: 1rem; font-weight: 620 }
h4 { font-size: .8125rem; font-weight: 600; color: var(--dim); margin: 1.25rem 0 .5rem }
@media print, (max-width: 60rem) { .pair table { font-size: .8125rem } .pair :is(th, td) { padding-right: .5rem } }
.pair th { overflow-wrap: normal }
.pair { display: grid; grid-template-columns: minmax(0, 5fr) minmax(0, 6fr); gap: 2.5rem; align-items: start }
table { border-collapse: collapse; width: 100%; font-size: .875rem }
caption { text-align: left; color: var(--dim); font-size: .8125rem; padding-bottom: .375rem }
thead th { color: var(--dim); font-weight: 400; font-size: .8125rem }
th, td { text-align: left; padding: .4375rem .75rem .4375rem 0; border-bottom: 1px solid var(--line); vertical-align: middle }
th:last-child, td:last-child { padding-right: 0 }
th.number, td.number { text-align: right; font-variant-numeric: tabular-nums; white-space: nowrap }
tbody th { font-weight: 500 }
.bar-column { width: 40% }
.bar { display: block; width: 100%; height: .5rem; border-radius: 4px; overflow: hidden; background: var(--soft) }
rect.pass { fill: var(--pass) } rect.fail, rect.bad { fill: var(--fail) } rect.warning { fill: var(--warning) }
rect.observed { fill: var(--observed) } rect.inconclusive { fill: var(--inconclusive) } rect.error { fill: var(--error) }
rect.plain, rect.well, rect.offered { fill: var(--neutral) } rect.refused { fill: var(--warning) } rect.track { fill: none }
${details}`
