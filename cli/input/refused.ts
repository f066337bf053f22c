/** What the caller asked for cannot be done: exit code 2, said in the message alone. */
export class Refused extends Error {
  override readonly name = 'Refused'
}
