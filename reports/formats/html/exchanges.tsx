import type { Exchange, Requirement } from '../../../schemas/types.ts'
import { callsOf } from '../../model/finding.ts'
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
      {deciding ? <Call exchange={deciding} open start={start} end={end} /> : null}
      {led.map((exchange) => (
        <Call key={exchange.number} exchange={exchange} open={false} start={start} end={end} />
      ))}
    </div>
  )
}

function Call(props: { exchange: Exchange; open: boolean; start: number; end: number }) {
  const { exchange, open, start, end } = props
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
      <Details exchange={exchange} />
    </details>
  )
}

const toneOf = (status: number | undefined) =>
  status === undefined || status >= 500 ? 'bad' : status >= 400 ? 'refused' : 'well'

function Details({ exchange }: { exchange: Exchange }) {
  const { number, request, response, silence = '' } = exchange
  return (
    <div class="details">
      <Command text={curl(exchange)} label={`call ${number} as a curl line`} />
      {response ? <SeenLines text={answerText(response)} /> : <SeenLines text={`no answer: ${silence}`} />}
      <p class="meta">
        call {number} of the run, {visible(request.method)}, sent {exchange.sentAt}
        {response ? `, ${response.bytes} bytes came` : ''}
      </p>
    </div>
  )
}

function answerText({ status, headers, body }: NonNullable<Exchange['response']>): string {
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${visible(value)}`)
  return [`HTTP ${status}`, ...lines, '', body].join('\n')
}
