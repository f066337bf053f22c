/** True for a terminal that may be sent control codes: not under NO_COLOR (no-color.org), and not a dumb one. */
export function takesCodes({ isTTY }: { isTTY?: boolean }, environment: NodeJS.ProcessEnv = process.env): boolean {
  return isTTY === true && !environment.NO_COLOR && environment.TERM !== 'dumb'
}
