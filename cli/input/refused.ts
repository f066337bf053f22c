/** What the caller asked for cannot be done: only the message is printed, with this exit code. */
export class Refused extends Error {
  override readonly name = 'Refused'
  /** 2: nothing was examined; 3: nothing can be concluded now, and perhaps later. */
  readonly exitCode: 2 | 3

  constructor(message: string, exitCode: 2 | 3 = 2) {
    super(message)
    this.exitCode = exitCode
  }
}
