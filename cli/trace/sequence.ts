import { numbersIn } from '../../helpers/trace/ranges.ts'
import { mayWrite, numbersOfClient } from '../../helpers/trace/trace.ts'
import type { TraceEnded, TraceExchange, TraceFooter, TraceLine } from '../../schemas/types.ts'

/** The most problems of one trace that are listed. */
const mostListed = 20

/** Checks that the lines of a trace fit each other: numbers, times, pairs and counts. */
export class Sequence {
  readonly problems: string[] = []
  exchanges = 0
  #lines = 0
  #time = Number.NEGATIVE_INFINITY
  #judged: string | undefined
  readonly #sent = new Map<number, { method: string; at: number }>()
  readonly #last = new Map<number, number>()
  readonly #tickets = new Set<number>()
  readonly #counts = new Map<string, number>()
  readonly #ended = new Set<string>()

  /** Takes the next line. */
  take(line: TraceLine): void {
    if (line.seq !== this.#lines) this.#wrong(`line ${this.#lines + 1} has the number ${line.seq}, not ${this.#lines}`)
    this.#lines = line.seq + 1
    this.#follow(line)
    if (line.line === 'sent') this.#sends(line.ticket, line.method, line.at)
    if (line.line === 'exchange') this.#exchange(line)
    if (line.line === 'clock' || line.line === 'raw') this.#number(line.n)
    if (line.line === 'ended') this.#end(line)
    if (line.line === 'footer') this.#foot(line)
  }

  #wrong(problem: string): void {
    if (this.problems.length < mostListed) this.problems.push(problem)
    else if (this.problems.length === mostListed) this.problems.push('and more')
  }

  /** No line is older than the one before. */
  #follow(line: TraceLine): void {
    const time = 'answered' in line ? line.answered : line.at
    if (time < this.#time) this.#wrong(`line ${line.seq} is older than the one before`)
    this.#time = Math.max(this.#time, time)
    if ('answered' in line && line.answered < line.sent)
      this.#wrong(`exchange ${line.n} was answered before it was sent`)
  }

  #sends(ticket: number, method: string, at: number): void {
    if (this.#tickets.has(ticket)) this.#wrong(`ticket ${ticket} was given twice`)
    this.#tickets.add(ticket)
    this.#sent.set(ticket, { method, at })
  }

  #exchange({ n, ticket, method, below, sent, for: owner }: TraceExchange): void {
    this.exchanges++
    this.#number(n)
    this.#counts.set(owner, (this.#counts.get(owner) ?? 0) + 1)
    if (this.#judged !== undefined) this.#wrong(`exchange ${n} came after ${this.#judged} was decided over all of them`)
    if (!mayWrite(method, below)) return
    const going = this.#sent.get(ticket)
    if (going === undefined) this.#wrong(`exchange ${n} was answered before it was sent: no line says that it went out`)
    else if (going.method !== method || going.at !== sent) this.#wrong(`exchange ${n} is not the call that went out`)
    this.#sent.delete(ticket)
  }

  #number(n: number): void {
    const client = Math.floor(n / numbersOfClient)
    const last = this.#last.get(client) ?? client * numbersOfClient
    if (n !== last + 1)
      this.#wrong(n > last ? `the exchanges ${last + 1} to ${n - 1} are left out` : `exchange ${n} comes after ${last}`)
    this.#last.set(client, Math.max(n, last))
  }

  #end({ id, requests, exchanges, besides }: TraceEnded): void {
    if (this.#ended.has(id)) this.#wrong(`${id} ended twice`)
    this.#ended.add(id)
    if (/^model\.(?!inputs\.)/.test(id)) this.#judged = id
    const numbers = numbersIn(exchanges)
    if (numbers === undefined) this.#wrong(`the exchanges of ${id} are not a list of numbers`)
    else this.#list(id, numbers, requests, besides)
  }

  #list(id: string, numbers: readonly number[], requests: number, besides: number): void {
    if (numbers.length + besides !== requests)
      this.#wrong(`${id} lists ${numbers.length} exchanges and ${besides} others, and counts ${requests}`)
    const unknown = numbers.find((n) => n > (this.#last.get(Math.floor(n / numbersOfClient)) ?? 0))
    if (unknown !== undefined) this.#wrong(`${id} lists exchange ${unknown}, which is not there`)
  }

  #foot({ exchanges, requirements, open }: TraceFooter): void {
    const wrong = (what: string, stated: number, found: number) => {
      if (stated !== found) this.#wrong(`the footer counts ${stated} ${what}, and there are ${found}`)
    }
    wrong('exchanges', exchanges, this.exchanges)
    wrong('calls that had not ended', open, this.#sent.size)
    for (const owner of new Set([...Object.keys(requirements), ...this.#counts.keys()]))
      wrong(`exchanges for ${owner}`, requirements[owner] ?? 0, this.#counts.get(owner) ?? 0)
  }
}
