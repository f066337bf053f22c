import { inAll } from '../../helpers/assertions/model-finding.ts'
import { modelRows } from '../../helpers/model/rows.ts'
import { Hearing } from '../../helpers/trace/hearing.ts'
import { numbersOfClient } from '../../helpers/trace/trace.ts'
import { type Decided, type JudgedTrace, type Known, keyOf } from '../../reports/certificate/traced.ts'
import { present } from '../../schemas/present.ts'
import type { Level, TraceClock, TraceEnded, TraceExchange, TraceFooter, TraceHeader } from '../../schemas/types.ts'
import { Sequence } from './sequence.ts'
import { digestOfFile } from './trace-file.ts'
import { traceLines } from './trace-lines.ts'

const levels = new Map(modelRows.map(({ id, level }) => [id, level]))

/** Reads a trace and judges it again, with the judge of the run. Throws `Refused` if it is not one. */
export async function judgeTrace(path: string, file = path): Promise<JudgedTrace> {
  const sequence = new Sequence()
  const ended = new Map<string, TraceEnded>()
  const decided = new Map<string, Decided>()
  const known = new Map<string, Known>()
  const requests = new Map<number, string>()
  const [answered, refused] = [new Set<string>(), new Set<string>()]
  const walls: string[] = []
  let header: TraceHeader | undefined
  let footer: TraceFooter | undefined
  let hearing = new Hearing('', 0)
  for await (const line of traceLines(path)) {
    sequence.take(line)
    if (line.line === 'header') {
      header = line
      hearing = new Hearing(line.apiVersion, line.patience)
    }
    hearing.take(line)
    if (line.line === 'exchange') {
      walls[walls.length === 0 ? 0 : 1] = line.wall
      known.set(keyOf(line.n % numbersOfClient, line.wall), knownOf({ ...line, method: sentMethod(line) }))
      requests.set(line.n, `${line.method} ${line.path}`)
      if (line.status !== undefined && line.credential === 'good')
        (line.status < 300 ? answered : refused).add(line.operation)
    }
    if (line.line === 'clock') known.set(keyOf(line.n, line.wall), knownOf(clockCall(line)))
    if (line.line === 'ended') {
      ended.set(line.id, line)
      const level = levels.get(line.id)
      if (level) decided.set(line.id, decide(hearing, line.id, level, requests))
    }
    if (line.line === 'footer') footer = line
  }
  const [first, last = first] = walls
  return {
    file,
    sha256: await digestOfFile(path),
    header: header!,
    footer: footer!,
    problems: sequence.problems,
    exchanges: sequence.exchanges,
    ...present({ first, last }),
    ended,
    decided,
    answered,
    refused,
    known,
  }
}

/** The method that went out: the line of a call over gRPC has the one that HTTP would have. */
const sentMethod = ({ over, method }: TraceExchange) => (over === 'grpc' ? 'POST' : method)

/** What a report calls a call of the hook. */
const clockCall = ({ status }: TraceClock) => ({ operation: 'clock.advance', method: 'POST', path: '', status })

function knownOf({
  operation,
  method,
  path,
  status,
}: Pick<TraceExchange, 'operation' | 'method' | 'path'> & { status?: number | undefined }): Known {
  return { operation, method, path, ...present({ status }) }
}

/** The outcome of a row of the model after all lines so far. */
function decide(hearing: Hearing, id: string, level: Level, requests: ReadonlyMap<number, string>): Decided {
  const met = hearing.met(id)
  if (met === 0) return { outcome: 'open', met, level }
  const [heard] = hearing.found(id)
  const [unread] = hearing.unread(id)
  const finding = heard?.finding ?? unread
  if (finding === undefined) return { outcome: 'holds', met, level }
  const { n, quote, expected, got } = finding
  const more = heard ? '' : ', and the run never read it again'
  const shown = `exchange ${n}, ${requests.get(n)}${more}${inAll(hearing.misfits(id))}`
  return { outcome: 'broken', met, level, ...present({ quote }), expected, got, shown }
}
