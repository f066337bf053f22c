import { chmodSync, createWriteStream, rmSync, type WriteStream } from 'node:fs'
import { finished } from 'node:stream/promises'
import { createGzip, type Gzip } from 'node:zlib'

/** How much is gathered before it is compressed, in characters: small writes are expensive. */
const batch = 64 * 1024
/** How much may wait for the disk, in bytes; a slower disk ends the trace, never the run. */
const mostWaiting = 64 * 1024 * 1024
/** How long to wait for the end of the file, in milliseconds. */
const lastWrite = 30_000

/** Writes lines into a compressed file that only its owner can read; no run waits for it. */
export class TraceWriter {
  /** Why no more lines are written. */
  cut: string | undefined
  readonly #gzip: Gzip = createGzip({ level: 6 })
  readonly #file: WriteStream
  #held = ''
  #closed = false

  /** Creates the file, replacing an existing one. */
  constructor(path: string) {
    rmSync(path, { force: true })
    this.#file = createWriteStream(path, { flags: 'wx', mode: 0o600 })
    // whatever the umask says
    this.#file.on('open', () => chmodSync(path, 0o600))
    const broken = (error: Error) => this.#end(`it could not be written (${error.message})`)
    this.#file.on('error', broken)
    this.#gzip.on('error', broken)
    this.#gzip.pipe(this.#file)
  }

  /** Writes a line that is already JSON. */
  write(line: string): void {
    if (this.cut !== undefined || this.#closed) return
    this.#held += `${line}\n`
    if (this.#held.length < batch) return
    this.#gzip.write(this.#held)
    this.#held = ''
    if (this.#gzip.writableLength + this.#file.writableLength > mostWaiting)
      this.#end('the disk did not keep up with the run')
  }

  /** Writes the last line and waits until everything is in the file. */
  async close(last: (cut: string | undefined) => object): Promise<void> {
    this.#closed = true
    if (this.#file.destroyed) return
    const ended = finished(this.#file, { signal: AbortSignal.timeout(lastWrite) })
    this.#gzip.end(`${this.#held}${JSON.stringify(last(this.cut))}\n`)
    this.#held = ''
    await ended.catch((error: Error) => this.#end(`it could not be written (${error.message})`))
  }

  #end(why: string): void {
    this.cut ??= why
    this.#held = ''
  }
}
