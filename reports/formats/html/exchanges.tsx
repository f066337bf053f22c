import type { Exchange, Requirement } from '../../../schemas/types.ts'
import { callsOf } from '../../model/finding.ts'
import { namesIn, partWith } from '../../text/answer-part.ts'
import { curl } from '../../text/curl.ts'
import { visible } from '../../text/visible-text.ts'
import { Command, SeenLines } from './pieces.tsx'

/** The calls of a requirement as a waterfall, the deciding one open; each opens to its request and answer. */
export function Exchanges({ one }: { one: Requirement }) {
  const { exchanges = [] } = one
  if (exchanges.length === 0) return null
  const start = Math.min(...exchanges.map(({ sentAt }) => Date.parse(sentAt)))
  const end = Math.max(...exchanges.map(({ sentAt, ms }) => Date.parse(sentAt) + ms), start + 1)
  const { deciding, before, arranged } = callsOf(one)
  const led = [...arranged, ...before]
  return (
    <div class="exchanges">
      <h4>
        {exchanges.length === 1 ? 'The call' : 'The deciding call, and what led there'}
        <span class="scale">{end - start} ms from first to last</span>
      </h4>
      {deciding ? <Call exchange={deciding} names={namesIn(one.got)} open start={start} end={end} /> : null}
      {led.map((exchange) => (
        <Call key={exchange.number} exchange={exchange} open={false} start={start} end={end} />
      ))}
    </div>
  )
}

interface CallProps {
  exchange: Exchange
  /** What came, to be marked. */
  names?: readonly string[]
  open: boolean
  start: number
  end: number
}

function Call({ exchange, names = [], open, start, end }: CallProps) {
  const { operation, phase, sentAt, ms, response } = exchange
  const x = ((Date.parse(sentAt) - start) / (end - start)) * 100
  const width = Math.max((ms / (end - start)) * 100, 0.8)
  return (
    <details class={`call ${phase}`} open={open}>
      <summary>
        <span class="operation">{visible(operation)}</span>
        <span class="phase">{phase}</span>
        <span class={`status ${toneOf(response?.status)}`}>{response?.status ?? 'none'}</span>
        <svg class="wave" viewBox="0 0 100 8" preserveAspectRatio="none" aria-hidden="true">
          <rect class="track" width="100" height="8" />
          <rect class={toneOf(response?.status)} x={Math.min(x, 99.2).toFixed(2)} width={width.toFixed(2)} height="8" />
        </svg>
        <span class="ms">{ms} ms</span>
      </summary>
      <Details exchange={exchange} names={names} />
    </details>
  )
}

const toneOf = (status: number | undefined) =>
  status === undefined || status >= 500 ? 'bad' : status >= 400 ? 'refused' : 'well'

/** The most characters of a body that are open at first. */
const mostShown = 1_200

function Details({ exchange, names }: { exchange: Exchange; names: readonly string[] }) {
  const { number, request, response, silence = '' } = exchange
  const body = response?.body ?? ''
  return (
    <div class="details">
      <Command text={curl(exchange)} label={`call ${number} as a curl line`} />
      <SeenLines text={response ? answerText(response, names) : `no answer: ${silence}`} marked={names} />
      {body.length > mostShown ? (
        <details class="whole">
          <summary>The whole answer</summary>
          <SeenLines text={body} marked={names} />
        </details>
      ) : null}
      <p class="meta">
        call {number} of the run, {visible(request.method)}, sent {exchange.sentAt}
        {response ? `, ${response.bytes} bytes came` : ''}
      </p>
    </div>
  )
}

function answerText({ status, headers, body }: NonNullable<Exchange['response']>, names: readonly string[]): string {
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${visible(value)}`)
  return [`HTTP ${status}`, ...lines, '', partWith(body, names, mostShown)].join('\n')
}
