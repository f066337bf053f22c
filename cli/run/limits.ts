import type { Config } from '../../helpers/settings/configuration.ts'
import { cutOff } from '../../reports/judge/ending.ts'
import type { Row } from '../../reports/judge/outcome.ts'
import { settle } from '../../reports/judge/verdict.ts'
import { command } from '../../reports/text/curl.ts'
import type { Case } from '../../schemas/types.ts'
import { Refused } from '../input/refused.ts'

/** What ends a run before its last case. */
export interface Limits {
  /** As it was given, such as `10m`. */
  maxTime?: string
  /** How many musts may fail. */
  bail?: number
}

/** A signal that says in its reason why a run ends early; it is asked after each case. */
export interface Ending {
  signal: AbortSignal
  /** Ends the run for a reason of its own. */
  end(why: string): void
  /** Sets how to look up the cases that have ended so far. */
  watch(ended: () => Case[]): void
  /** Stops the timer. */
  close(): void
}

const units: Record<string, number> = { ms: 1, s: 1_000, m: 60_000, h: 3_600_000 }

/** The duration of `--max-time` in milliseconds; throws `Refused` if it is not one. */
export const milliseconds = (duration: string) => durationOf('--max-time', duration)

/** A duration such as `90s`, `10m` or `1h` in milliseconds; throws `Refused` if it is not one. */
export function durationOf(flag: string, duration: string): number {
  const [, number, unit = ''] = /^(\d{1,7}(?:\.\d+)?)(ms|s|m|h)$/.exec(duration) ?? []
  const ms = Number(number) * (units[unit] ?? Number.NaN)
  if (ms > 0 && ms < 2 ** 31) return ms
  throw new Refused(`${flag} is '${duration}', not a duration of less than 24 days, for example ${flag} 10m`)
}

/** Ends a run by the operator's signal, after a time, or after so many failed musts, whichever comes first. */
export function endingBy({ maxTime, bail }: Limits, signal?: AbortSignal): Ending {
  const own = new AbortController()
  const ms = maxTime === undefined ? undefined : milliseconds(maxTime)
  const timer = ms === undefined ? undefined : setTimeout(() => own.abort(`the run reached --max-time ${maxTime}`), ms)
  return {
    signal: signal ? AbortSignal.any([signal, own.signal]) : own.signal,
    watch(ended) {
      if (bail === undefined || own.signal.aborted) return
      const failed = settle(ended()).filter(({ outcome }) => outcome === 'fail').length
      if (failed >= bail)
        own.abort(`the run stopped as soon as ${bail === 1 ? 'a must' : `${bail} musts`} had failed (--bail)`)
    },
    end: (why) => own.abort(why),
    close: () => clearTimeout(timer),
  }
}

/** Why a run ended early, in the words of what ended it. */
export function reasonOf({ aborted, reason }: AbortSignal): string | undefined {
  if (!aborted) return undefined
  return typeof reason === 'string' ? reason : 'the run was interrupted'
}

/** The cases, with the reason in each that an early end kept from running. */
export function notRun(cases: readonly Case[], reason: string): Case[] {
  return cases.map((each) =>
    each.ending.how === 'untold' && cutOff.includes(each.ending.note)
      ? { ...each, ending: { how: 'untold', note: `not run: ${reason}` } }
      : each,
  )
}

/** The throw-away groups of the cases that did not pass. */
export function keptOf(rows: readonly Row[], cases: readonly Case[]): { id: string; uid: string }[] {
  const groups = new Map(cases.map(({ header, scratch }) => [header.id, scratch]))
  return rows.flatMap(({ header: { id }, outcome }) => {
    const uid = groups.get(id)
    return uid !== undefined && ['fail', 'warning', 'error'].includes(outcome) ? [{ id, uid }] : []
  })
}

/** Refuses to keep anything in the embedded reference, which ends with the run. */
export function mustOutlive({ target }: Config): void {
  if (target.embedded)
    throw new Refused(`--keep: the embedded reference ends with the run. Start one that stays: ${command} serve`)
}

/** The number of `--bail`; throws `Refused` if it is not one. */
export function mostFailures(text: string): number {
  if (/^[1-9]\d{0,5}$/.test(text)) return Number(text)
  throw new Refused(`--bail is '${text}', not a whole number of 1 or more, for example --bail 1`)
}
