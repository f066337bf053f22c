import { readPath } from '../api/resource-path.ts'
import type { Call } from '../http/call.ts'
import type { State, Thing } from '../model/state.ts'

/** Counts the states of resources when a write reached them, and which writes did. */
export class Coverage {
  /** How many writes went out. */
  commands = 0
  readonly #states = new Set<string>()
  readonly #combinations = new Set<string>()

  get states(): number {
    return this.#states.size
  }

  get combinations(): number {
    return this.#combinations.size
  }

  /** Records a call as it goes out, with what the model knows then. */
  note({ method, path, query = {}, body }: Call, state: State): void {
    const place = readPath(path)
    if (place?.uid === undefined || method === 'GET') return
    this.commands++
    const reached = stateOf(state.thing(place.uid, method === 'POST' ? 'groups' : place.kind))
    const members = typeof body === 'object' && body !== null ? Object.keys(body).sort().join() : ''
    this.#states.add(reached)
    this.#combinations.add(`${method} ${place.version} ${place.kind} ${members} ${query.updateMask} ${reached}`)
  }
}

/** What a resource has been through, in a few words: changes, children, refusals, and whether it exists. */
function stateOf(thing: Thing | undefined): string {
  if (thing === undefined) return 'unknown'
  const { kind, alive, name, description, claimMatch, attempted, below } = thing
  const changes = [name, description, claimMatch].map(({ writes }) => Math.min(4, writes.length))
  const living = [...below].map(
    ([held, all]) => `${held} ${Math.min(2, all.filter(isAlive).length)}/${Math.min(2, all.length)}`,
  )
  return [kind, isAlive({ alive }), ...changes, attempted > 0, ...living.sort()].join(' ')
}

const isAlive = ({ alive }: Pick<Thing, 'alive'>) => alive.writes.at(-1)?.value === true
