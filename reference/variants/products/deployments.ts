import type { Caller } from '../../domain/at.ts'
import { type Variant, variant } from '../../fault.ts'
import type { Replacement } from '../../replace.ts'
import { bindsCreators } from '../bindings.ts'
import { several } from './databases.ts'

/** An authorizer remembers for five minutes whose token it was. */
const remembersCallers: Replacement = (contract) => {
  const kept = new Map<string, { caller: Caller; until: number }>()
  return {
    async authenticate(token, reader, at) {
      const now = at.world.now()
      const known = kept.get(token)
      if (known && known.until > now) return known.caller
      const caller = await contract.authenticate(token, reader, at)
      if (caller) kept.set(token, { caller, until: now + 300_000 })
      return caller
    },
  }
}

/** After so many bad tokens in five seconds everybody waits for two seconds. */
const locksOut =
  (most: number): Replacement =>
  (contract) => {
    let [refused, pausedUntil]: [number[], number] = [[], 0]
    return {
      async transport(request, response, serve, at) {
        const now = performance.now()
        if (now < pausedUntil) {
          response.writeHead(429, { 'content-length': '0', 'retry-after': '2' }).end()
          return
        }
        response.on('finish', () => {
          if (response.statusCode !== 401) return
          refused = [...refused.filter((time) => now - time < 5_000), now]
          if (refused.length < most) return
          ;[refused, pausedUntil] = [[], performance.now() + 2_000]
        })
        return contract.transport(request, response, serve, at)
      },
    }
  }

/** Some refusals lead to a page for people. */
const leadsTo =
  (place: string, ...statuses: number[]): Replacement =>
  (contract) => ({
    render(answer, at) {
      const shown = contract.render(answer, at)
      if (!statuses.includes(shown.status) || at.over === 'grpc') return shown
      return { status: 302, headers: { ...shown.headers, location: place }, body: undefined }
    },
  })

/** Two nodes whose clocks differ take turns; no time goes back. */
export const twoClocks =
  (apart: number): Replacement =>
  (contract) => {
    let turn = 0
    const skew = (): number => (turn++ % 2) * apart
    return {
      born: (now, at) => contract.born(now + skew(), at),
      touched(old, differs, now, at) {
        const times = contract.touched(old, differs, now + skew(), at)
        return differs ? { ...times, updateTime: Math.max(times.updateTime, old.updateTime + 1) } : times
      },
      seenAt: (claims, kept, now, at) => Math.max(kept.lastSeenTime ?? now, contract.seenAt(claims, kept, now, at)),
    }
  }

/** Of two instances each answers every other call. */
const inTurns = (change: (contract: Parameters<Replacement>[0]) => ReturnType<Replacement>): Replacement => {
  return (contract) => {
    let turn = 0
    const changed = change(contract) as Record<string, (...given: unknown[]) => unknown>
    const choose = (name: string) => {
      const usual = contract[name as keyof typeof contract] as (...given: unknown[]) => unknown
      return (...given: unknown[]) => (turn++ % 2 ? changed[name]! : usual)(...given)
    }
    return Object.fromEntries(Object.keys(changed).map((name) => [name, choose(name)]))
  }
}

const without = (fields: Readonly<Record<string, unknown>>, ...members: string[]) =>
  Object.fromEntries(Object.entries(fields).filter(([name, value]) => !members.includes(name) || value))

/** Lawful deployments: several instances, and what is in front of them (R26, R33, R38, R39, R40, R43). */
export const deploymentVariants: readonly Variant[] = [
  variant(
    'the clocks of two nodes are two seconds apart, and the creator of a group is bound in it, and has to go first',
    several(twoClocks(2_000), bindsCreators(true)),
  ),
  variant(
    'of two instances one leaves out what is not set',
    inTurns((contract) => ({
      group: (...given) => without(contract.group(...given), 'description'),
      identity: (...given) => without(contract.identity(...given), 'description'),
      role: (...given) => without(contract.role(...given), 'description'),
    })),
  ),
  variant(
    'of two instances one writes no zeros at the end of a fraction',
    inTurns((contract) => ({
      timestamp: (...given) => contract.timestamp(...given).replace(/\.?0+Z$/, 'Z'),
    })),
  ),
  variant('an authorizer remembers for five minutes whose token it was', remembersCallers, [
    'sts.token.hour.ends',
    'sts.token.hour.own-ends',
  ]),
  variant('after sixty bad tokens in five seconds everybody waits for two', locksOut(60)),
  variant('who brings no valid token is sent to a login page', leadsTo('https://login.reference.test/', 401), [
    'auth.status',
    'auth.first',
    'sts.refusal.status',
  ]),
  variant('what is missing leads to the documentation', leadsTo('https://docs.reference.test/', 404)),
]
