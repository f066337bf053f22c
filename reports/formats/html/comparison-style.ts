import { style as common } from './style.ts'

/** How a comparison looks: as a report does, and some more. */
export const style = `${common}
.matrix { overflow-x: auto }
.matrix td { min-width: 6rem; vertical-align: baseline }
.matrix .number { min-width: 0; width: 2rem; text-align: left }
.matrix th { vertical-align: baseline }
.matrix tbody th { min-width: 14rem; font-weight: 400 }
.matrix .id { display: block }
.matrix small { color: var(--dim); font-size: .8125rem }
.matrix tr:target { background: var(--soft) }
.none { color: var(--dim) }
header.masthead { --tone: var(--ink); padding-bottom: 0 }
header.masthead.nonconformant { --tone: var(--fail) }
header.masthead.conformant { --tone: var(--pass) }
.changes th { font-weight: 400; width: 34% }
.changes td { width: 33% }
.changes :is(th, td) { vertical-align: baseline }
.rest > summary { color: var(--link) }
@media (max-width: 46rem) { .changes, .changes :is(tbody, tr, th, td) { display: block; width: auto; border: 0 } .changes thead { display: none } .changes tr { border-bottom: 1px solid var(--line); padding: .25rem 0 } .changes :is(th, td) { padding: .125rem 0 } .matrix td { min-width: 4.5rem } .matrix tbody th { min-width: 11rem } }
@media print { .rest:not([open]) { display: none } .matrix { overflow: visible } }
`
