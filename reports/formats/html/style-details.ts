/** How requirements and their exchanges look, and how the page is on phones and paper. */
export const details = `
.tag { display: inline-block; flex: none; font-size: .75rem; line-height: 1.25rem; font-weight: 600; color: var(--tone, var(--dim)); white-space: nowrap }
.tag::before { content: ''; display: inline-block; width: .5em; height: .5em; border-radius: 50%; background: currentColor;
  margin-right: .45em; vertical-align: .08em }
.tag.inconclusive::before, .tag.undetermined::before { background: none; box-shadow: inset 0 0 0 1.5px currentColor }
.tag.fail::before, .tag.error::before, .tag.nonconformant::before { border-radius: 1px; transform: rotate(45deg) }
.pass, .tag.conformant { --tone: var(--pass) }
.fail, .tag.nonconformant { --tone: var(--fail) }
.warning, .tag.partial { --tone: var(--warning) }
.observed { --tone: var(--observed) }
.inconclusive, .tag.undetermined { --tone: var(--inconclusive) }
.error { --tone: var(--error) }

summary { cursor: pointer; list-style: none }
summary::-webkit-details-marker { display: none }
.finding { border: 1px solid var(--line); border-left: 3px solid var(--tone); border-radius: 6px; margin-bottom: .75rem }
.finding > summary { display: grid; grid-template-columns: 7rem minmax(0, 1fr); gap: 0 .5rem; align-items: baseline; padding: .75rem 1rem }
.finding > summary h3 { font: 600 .9375rem/1.5 var(--mono) }
.finding > summary .says { grid-column: 2; color: var(--dim); font-size: .9375rem }
.finding > .more { padding: .25rem 1rem 1.25rem; border-top: 1px solid var(--line) }
.more > .words { margin-top: 1rem }
.said { display: grid; gap: .375rem; margin-top: .75rem }
.said > div { display: grid; grid-template-columns: 6rem minmax(0, 1fr); gap: .5rem; align-items: baseline }
.said dt { color: var(--dim); font-size: .8125rem }
.said .expected .seen { color: var(--pass) }
.said .got .seen { color: var(--fail) }
.blocked, .reason { margin-top: .75rem; font-size: .9375rem }
.blocked > summary, .reason > summary { display: flex; gap: .25rem; align-items: baseline }
.reason .ids { padding-left: 4rem }
.reason .count { flex: none; min-width: 2.25rem; margin: 0 .5rem 0 0; text-align: right }
.blocked > summary::before, .reason > summary::before { content: '▸'; color: var(--dim); width: 1em; flex: none }
.blocked[open] > summary::before, .reason[open] > summary::before { content: '▾' }
.ids { list-style: none; columns: 18rem; column-gap: 2rem; padding: .5rem 0 .5rem 1.25rem }
.ids li { break-inside: avoid }
.lines { list-style: none }
.steps { padding-left: 1.5rem; font-size: .9375rem }
.steps li:last-child { font-weight: 600 }
.words { display: grid; gap: .5rem; font-size: .9375rem }
.words > div { display: grid; grid-template-columns: 4rem minmax(0, 1fr); gap: .5rem }
.words > div:target { background: var(--soft); box-shadow: 0 0 0 .375rem var(--soft); border-radius: 3px }
.words dt { color: var(--dim); font: .8125rem/1.75 var(--mono) }
.words em { color: var(--dim) }
.citing { margin-left: .5rem; font-size: .8125rem; white-space: nowrap }
.meta { margin-top: 1rem }

.exchanges h4 { display: flex; justify-content: space-between; gap: 1rem }
.scale { font-weight: 400 }
.call { border-top: 1px solid var(--line) }
.call:last-child { border-bottom: 1px solid var(--line) }
.call > summary { display: grid; grid-template-columns: minmax(0, 14rem) 4.5rem 3rem minmax(0, 1fr) 5rem; gap: .75rem;
  align-items: center; padding: .3125rem 0; font: .8125rem/1.5 var(--mono) }
.call > summary:hover, .row > summary:hover { background: var(--soft) }
.phase { color: var(--dim) }
.status.well { color: var(--pass) } .status.refused { color: var(--warning) } .status.bad { color: var(--fail) }
.wave { display: block; width: 100%; height: .5rem; background: var(--soft); border-radius: 2px }
.ms { text-align: right; color: var(--dim); font-variant-numeric: tabular-nums }
.details { padding: .25rem 0 1rem }
.details .meta { margin-top: .375rem }
pre { background: var(--soft); border-radius: 6px; padding: .625rem .75rem; white-space: pre-wrap; overflow-wrap: anywhere }
.details > pre, .whole > pre { margin-top: .5rem }
.whole { margin-top: .5rem }
.whole > summary { color: var(--link); font-size: .875rem }
.whole > summary::before { content: '▸ ' }
.whole[open] > summary::before { content: '▾ ' }
mark { background: color-mix(in srgb, var(--fail) 16%, transparent); color: inherit; border-radius: 2px }
.command { position: relative }
.command pre { padding-right: 5rem }
.copy { position: absolute; top: .375rem; right: .375rem; font: inherit; font-size: .75rem; padding: .125rem .5rem;
  color: var(--dim); background: var(--paper); border: 1px solid var(--line); border-radius: 4px; cursor: pointer }
.copy:hover { color: var(--ink) }

.filters { display: flex; flex-wrap: wrap; gap: .75rem 1rem; align-items: end; padding: 1rem; background: var(--soft); border-radius: 8px;
  font-size: .875rem }
.filters fieldset { border: 0; min-width: 0; display: flex; flex-wrap: wrap; gap: .375rem }
.filters label > span:first-child, .filters legend { display: block; color: var(--dim); font-size: .8125rem; margin-bottom: .25rem }
.filters input[type=search], .filters select { font: inherit; color: inherit; background: var(--paper); border: 1px solid var(--line);
  border-radius: 6px; padding: .3125rem .5rem; height: 2.125rem }
.query { flex: 1 1 14rem }
.query input { width: 100% }
.chip { position: relative }
.chip input { position: absolute; opacity: 0; inset: 0; width: 100%; height: 100%; margin: 0; cursor: pointer }
.filters .chip span { display: block; margin: 0; padding: 0 .625rem; line-height: 2rem; font-size: .8125rem; border: 1px solid var(--line);
  border-radius: 6px; background: var(--paper); color: var(--ink) }
.filters .chip input:checked + span { border-color: var(--tone); color: var(--tone); box-shadow: inset 0 0 0 1px var(--tone) }
.chip input:focus-visible + span { outline: 2px solid var(--link); outline-offset: 1px }
#shown { flex-basis: 100%; color: var(--dim); font-size: .8125rem }
.group { margin-top: 2rem }
.group > h3 { display: grid; grid-template-columns: minmax(0, max-content) auto minmax(4rem, 12rem); gap: .25rem; align-items: center;
  justify-content: start; padding-bottom: .375rem; border-bottom: 1px solid var(--line) }
.group > h3 .bar { margin-left: .75rem }
.row { border-bottom: 1px solid var(--line) }
.row > summary, .named { display: grid; grid-template-columns: 7rem minmax(0, 1fr) 4rem; gap: .5rem; align-items: baseline; padding: .4375rem 0 }
.what { display: block }
.what .id { display: block }
.says { font-size: .9375rem }
blockquote { margin: .75rem 0 0; padding-left: .75rem; border-left: 2px solid var(--line); color: var(--dim); font-size: .9375rem }
.kinds { display: flex; flex-wrap: wrap; gap: .25rem; margin-top: .25rem }
.kind-of { font-size: .75rem; line-height: 1.125rem; padding: 0 .375rem; border-radius: 4px; color: var(--tone); border: 1px solid var(--line) }
.kind-of.fail, .kind-of.error { border-color: var(--tone) }
.kind-of.inconclusive { border-style: dashed }
.cell { border-top: 1px solid var(--line) }
.cell > summary { display: flex; gap: .75rem; align-items: baseline; padding: .25rem 0 }
.cell > summary .tag { min-width: 6.5rem }
.legend { margin-top: 1rem; font-size: .875rem }
.legend summary { color: var(--link) }
.legend summary::before { content: '▸ ' }
.legend[open] summary::before { content: '▾ ' }
.legend dl { display: grid; gap: .25rem; margin-top: .5rem }
.legend dl > div { display: grid; grid-template-columns: 9rem minmax(0, 1fr); gap: .5rem }
.level { color: var(--dim); font-size: .8125rem; text-align: right }
.row > .more { padding: 0 0 1rem 7.5rem }
.row .meta code { font-size: .75rem }
table.observed th { font-weight: 400; width: 50%; vertical-align: top }
table.observed td { vertical-align: top }
table.observed .id { display: block; font-size: .75rem }
.timeline { margin-bottom: 2rem }
.timeline svg { display: block; width: 100%; height: 16rem; background: var(--soft); border-radius: 6px }
.timeline path { fill: none; stroke: var(--tone); stroke-width: 1.4; opacity: .8 }
.timeline path.pass { stroke: var(--neutral) }
figcaption { display: flex; justify-content: space-between; color: var(--dim); font-size: .8125rem; margin-top: .25rem }
footer { margin-top: 4rem; padding-top: 1rem; border-top: 1px solid var(--line); color: var(--dim); font-size: .8125rem }

@media (max-width: 46rem) {
  body { padding: 0 1rem 3rem }
  .masthead { padding-top: 2rem }
  h1 { font-size: 2rem; gap: .5rem }
  .sign { width: 34px; height: 34px }
  .figures { grid-template-columns: 1fr 1fr }
  .figures > div:first-child { grid-column: 1 / -1 }
  .pair { grid-template-columns: minmax(0, 1fr); gap: 2rem }
  .finding > summary, .row > summary, .named { grid-template-columns: minmax(0, 1fr) auto }
  .finding > summary h3, .finding > summary .says, .what { grid-column: 1 / -1 }
  .row > summary .level, .named .level { grid-row: 1; grid-column: 2 }
  .row > .more { padding-left: 0 }
  .said > div, .words > div { grid-template-columns: minmax(0, 1fr); gap: 0 }
  .call > summary { grid-template-columns: minmax(0, 1fr) 3rem 4.5rem }
  .call .phase { display: none }
  .call .wave { grid-column: 1 / -1; grid-row: 2 }
  .bar-column { width: 25% }
  table { font-size: .8125rem }
  th, td { padding-right: .5rem }
  table.observed, table.observed :is(tbody, tr, th, td) { display: block; width: auto }
  table.observed thead { display: none }
  table.observed th { border: 0; padding-bottom: 0 }
}
@media (max-width: 24rem) {
  h1 { font-size: 1.625rem }
  .pair tbody th { overflow-wrap: anywhere }
  .pair :is(th, td) { padding-right: .375rem }
}
@media print {
  :root { --paper: #fff; --soft: #f4f4f4; --line: #ccc; --ink: #000; --dim: #444; --link: #000 }
  body { max-width: none; font-size: 10pt; padding: 0 }
  .contents, .filters, .copy, .skip, .legend, #requirements, #timing, #outside, #contract, #observed { display: none }
  body:not(:has(#print-all:checked)) {
    .finding :is(.exchanges, .words, .cell, .command, .blocked, .steps, .meta, h4) { display: none }
    .finding { break-inside: avoid; margin-bottom: .375rem }
    .finding > summary { padding: .25rem .75rem }
    .finding .seen { display: -webkit-box; -webkit-line-clamp: 3; -webkit-box-orient: vertical; overflow: hidden }
    :is(.finding, .reason):nth-of-type(n + 9), .lines li:nth-child(n + 12) { display: none }
    :is(#findings, #inconclusive)::after { content: 'At most 8 are printed, unless “Print everything” is ticked at the end of the page.'; font-size: .8125rem }
  }
  body:has(#print-all:checked) :is(#requirements, #timing, #outside, #contract, #observed, .finding .exchanges, .finding .command, .finding h4) { display: block }
  body:has(#print-all:checked) .finding .words { display: grid }
  .print-all { display: none }
  .finding, .row, tr, .figures { break-inside: avoid }
  .finding[open] { break-inside: auto }
}
`
