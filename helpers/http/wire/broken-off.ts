/** An answer that began and did not end: the target is there, and the answer is its own. */
export class BrokenOff extends Error {
  override readonly name = 'BrokenOff'
  readonly status: number
  /** True where it had begun, and trickled on without end. */
  readonly late: boolean
  /** True where it exceeds what is read of any answer. */
  readonly tooLarge: boolean

  constructor(status: number, why: string, late = false, tooLarge = false) {
    super(`the answer ${status} ${why}`)
    this.status = status
    this.late = late
    this.tooLarge = tooLarge
  }
}

const codeOf = (error: unknown) => (error as NodeJS.ErrnoException).code ?? ''

export const isHangUp = (error: unknown) => /^(UND_ERR_SOCKET|ECONNRESET|EPIPE)$/.test(codeOf(error))

/** True where no connection could be made: nothing of the call was sent. */
export const isUnsent = (error: unknown) =>
  /^(ECONNREFUSED|E(HOST|NET)UNREACH|ENOTFOUND|EAI_AGAIN|UND_ERR_CONNECT_TIMEOUT)$/.test(codeOf(error))

/** True where the target exceeded the time for an answer. */
export function isLate(error: unknown): boolean {
  const { name, code = '', late } = error as NodeJS.ErrnoException & { late?: boolean }
  return late === true || name === 'TimeoutError' || /^UND_ERR_(HEADERS|BODY)_TIMEOUT$/.test(code)
}

/** Why no answer came, in a few words; `within` is how long the wait was, in milliseconds. */
export function reasonOf(error: unknown, within: number): string {
  const { code, message } = error as NodeJS.ErrnoException
  if (isLate(error)) return `no answer within ${within / 1000} seconds`
  return code ? `${message} (${code})` : message
}
