import { createReadStream } from 'node:fs'
import { createGunzip } from 'node:zlib'
import { tooIntricate } from '../../helpers/http/body-budget.ts'
import { unreadable } from '../../helpers/settings/setting-files.ts'
import type { TraceLine } from '../../schemas/types.ts'
import { Refused } from '../input/refused.ts'
import { checkerOf, ofAnotherVersion } from '../input/schema-problems.ts'

/** The longest line that is read, in bytes: twice the largest answer with every character escaped. */
const longest = 32 * 1024 * 1024
/** The most lines and bytes that are read from one trace: a hundred times what a whole run writes. */
const [mostLines, mostBytes] = [3_000_000, 4 * 1024 * 1024 * 1024]
const kinds = ['Header', 'Sent', 'Exchange', 'Clock', 'Moved', 'Restarted', 'Raw', 'Ended', 'Footer']

/** The lines of a trace, each checked against its schema. Throws `Refused` with the number of the first bad line. */
export async function* traceLines(path: string): AsyncGenerator<TraceLine> {
  const checks = new Map(kinds.map((kind) => [kind.toLowerCase(), checkerOf('trace', `trace${kind}`)]))
  let [number, last] = [0, '']
  for await (const bytes of linesOf(path)) {
    const where = `${path}, line ${++number}`
    if (number > mostLines) throw new Refused(`${path} has more than ${mostLines} lines`)
    const read = parsed(bytes, where)
    const kind = String((read as { line?: unknown } | null)?.line)
    const check = checks.get(kind)
    if (check === undefined) throw new Refused(`${where}: no line of a trace is called '${kind.slice(0, 40)}'`)
    const other = kind === 'header' ? ofAnotherVersion(read, 'traceVersion') : undefined
    if (other !== undefined) throw new Refused(`${path} ${other}.`)
    const [problem] = check(read)
    if (problem !== undefined) throw new Refused(`${where}: ${problem}`)
    if (number === 1 && kind !== 'header')
      throw new Refused(`${where}: a trace begins with its header, and not with '${kind}'`)
    if (number > 1 && kind === 'header') throw new Refused(`${where}: this is a second header`)
    if (last === 'footer') throw new Refused(`${where}: it comes after the footer, which ends a trace`)
    last = kind
    yield read as TraceLine
  }
  if (number === 0) throw new Refused(`${path} is empty`)
  if (last !== 'footer') throw new Refused(`${path} has no footer: its end is missing`)
}

function parsed(bytes: Buffer, where: string): unknown {
  const intricate = tooIntricate(bytes)
  if (intricate !== undefined) throw new Refused(`${where}: ${intricate.replace('the body', 'the line')}`)
  try {
    return JSON.parse(strict.decode(bytes))
  } catch {
    throw new Refused(`${where}: this is not JSON in UTF-8`)
  }
}

const strict = new TextDecoder('utf-8', { fatal: true })

/** The lines of a compressed file as bytes; never more than one of them is held. */
async function* linesOf(path: string): AsyncGenerator<Buffer> {
  const file = createReadStream(path)
  const plain = createGunzip()
  file.on('error', (error) => plain.destroy(error))
  let held: Buffer[] = []
  let [size, total] = [0, 0]
  try {
    for await (const chunk of file.pipe(plain) as AsyncIterable<Buffer>) {
      total += chunk.length
      if (total > mostBytes) throw new Refused(`${path} holds more than ${mostBytes} bytes`)
      let from = 0
      for (let at = chunk.indexOf(10); at >= 0; at = chunk.indexOf(10, from)) {
        yield Buffer.concat([...held, chunk.subarray(from, at)])
        held = []
        size = 0
        from = at + 1
      }
      size += chunk.length - from
      held.push(chunk.subarray(from))
      if (size > longest) throw new Refused(`${path} has a line of more than ${longest} bytes`)
    }
  } catch (error) {
    if (error instanceof Refused) throw error
    throw new Refused(`${path} ${whyUnread(error as NodeJS.ErrnoException)}`)
  } finally {
    file.destroy()
    plain.destroy()
  }
  if (size > 0) throw new Refused(`${path} ends within a line`)
}

function whyUnread(error: NodeJS.ErrnoException): string {
  const { code } = error
  if (code === 'Z_BUF_ERROR') return 'is cut off: the compressed file ends too early'
  if (code?.startsWith('Z_')) return 'is not a gzip file, or is damaged'
  return unreadable(error)
}
