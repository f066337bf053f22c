import { type ComponentChildren, Fragment } from 'preact'
import type { Outcome, Verdict } from '../../../schemas/types.ts'
import { visible, visibleLines } from '../../text/visible-text.ts'

/** The word of an outcome, in its colour. */
export function Tag({ outcome }: { outcome: Outcome | Verdict }) {
  return <span class={`tag ${outcome}`}>{outcome}</span>
}

/** A part of the page with its heading; left out where it would be empty. */
export function Part(props: { id: string; title: string; count?: number; children: ComponentChildren }) {
  const { id, title, count, children } = props
  return (
    <section id={id} aria-labelledby={`${id}-title`}>
      <h2 id={`${id}-title`}>
        {title}
        {count === undefined ? null : <span class="count">{count}</span>}
      </h2>
      {children}
    </section>
  )
}

/** The contract's own words, whose backticks and underscores mark code and stress. */
export function Said({ text }: { text: string }) {
  const parts = text.split(/(`[^`]+`|\*\*[^*]+\*\*|(?<!\w)_[^_]+_(?!\w))/)
  return (
    <>
      {parts.map((part) => {
        if (part.startsWith('`')) return <code>{part.slice(1, -1)}</code>
        if (part.startsWith('**')) return <strong>{part.slice(2, -2)}</strong>
        return part.startsWith('_') && part.endsWith('_') ? <em>{part.slice(1, -1)}</em> : part
      })}
    </>
  )
}

/** What the target said, on one line: nothing in it acts, and nothing in it is hidden. */
export function Seen({ text, limit }: { text: string; limit?: number }) {
  return <code class="seen">{visible(text, limit) || ' '}</code>
}

/** What the target said, over several lines; some of it is marked. */
export function SeenLines({ text, marked = [] }: { text: string; marked?: readonly string[] }) {
  const shown = visibleLines(text, 16_400) || ' '
  const found = marked.map((name) => visible(name)).filter((name) => shown.includes(name))
  const parts = found.length === 0 ? [shown] : shown.split(new RegExp(`(${found.map(literal).join('|')})`))
  return <pre class="seen">{parts.map((part, index) => (index % 2 === 1 ? <mark>{part}</mark> : part))}</pre>
}

/** A text escaped for use in a pattern. */
const literal = (text: string) => text.replace(/[\\^$.*+?()[\]{}|]/g, '\\$&')

/** A command to copy, by a button where scripts run. */
export function Command({ text, label }: { text: string; label: string }) {
  return (
    <div class="command">
      <pre>{text}</pre>
      <button type="button" class="copy" hidden aria-label={`Copy: ${label}`}>
        Copy
      </button>
    </div>
  )
}

/** Ids of statements and rulings, each leading to its words. */
export function Cites({ ids }: { ids: readonly string[] }) {
  return (
    <span class="cites">
      {ids.map((id) => (
        <Fragment key={id}>
          <a href={`#${id}`}>{id}</a>{' '}
        </Fragment>
      ))}
    </span>
  )
}

/** The address of a requirement on the page. */
export function Go({ id }: { id: string }) {
  return (
    <a class="id" href={`#${encodeURI(id)}`}>
      {id}
    </a>
  )
}

/** A duration in words. */
export function duration(ms: number): string {
  if (ms < 1000) return `${ms} ms`
  if (ms < 120_000) return `${(ms / 1000).toFixed(1)} s`
  const seconds = Math.round(ms / 1000)
  return `${Math.floor(seconds / 60)} min ${seconds % 60} s`
}

/** Requirements by their ids, a line each, with a link to each. */
export function Ids({ of }: { of: readonly { id: string }[] }) {
  return (
    <ul class="ids">
      {of.map(({ id }) => (
        <li key={id}>
          <Go id={id} />
        </li>
      ))}
    </ul>
  )
}
