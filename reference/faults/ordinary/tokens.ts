import { type Fault, fault } from '../../fault.ts'
import { day } from '../durations.ts'
import { startingOver } from '../lists/starting-over.ts'
import { foundByModel } from '../run/histories.ts'
import { shortLived } from './short-lived.ts'

/** Faults of page tokens and of what they remember (S4.25, S8.3, R42). */
export const ordinaryTokenFaults: readonly Fault[] = [
  fault(
    'page tokens end at the third midnight',
    { turnsRed: ['list.token.lives*'], spreadsTo: ['grpc.list.token.lives', 'list.*'] },
    () => {
      // its midnight is never near, whenever a run begins
      const noon = Date.now()
      const dateOf = (time: number) => Math.floor((time - noon) / day + 0.5)
      return { expired: (issued, now) => dateOf(now) - dateOf(issued) >= 3 }
    },
  ),
  fault(
    'a page that is reached by a token leaves out what was changed since the token was issued',
    { turnsRed: ['model.*'], spreadsTo: ['list.walk.*'] },
    (contract) => ({
      rest: (sorted, place, cursor, at) =>
        contract.rest(sorted, place, cursor, at).filter(({ updateTime }) => updateTime <= cursor.issued),
    }),
  ),
  fault(
    'the next token of a list that started over goes on where the old walk was',
    { turnsRed: ['model.*'], spreadsTo: ['list.token.*', 'grpc.list.token.*'] },
    startingOver((contract, ended) => ({
      cursor(last, key, order, skipped, now, at) {
        const cursor = contract.cursor(last, key, order, skipped, now, at)
        const old = ended()
        const fits = old.kind === at.kind && old.field === order.field && old.descending === order.descending
        return fits ? { ...old, issued: now } : cursor
      },
    })),
  ),
  fault(
    'in the order of created_at a page token is as old as the last thing on its page',
    { turnsRed: ['list.order.created_at.times@*', 'list.walk.complete@*'], spreadsTo: ['list.*', 'grpc.list.*'] },
    (contract) => ({
      cursor(last, key, order, skipped, now, at) {
        const issued = order.field === 'createTime' ? last.createTime : now
        return contract.cursor(last, key, order, skipped, issued, at)
      },
    }),
  ),
  // S8.3
  fault(
    'page tokens of pages of fifty and more live for a day',
    foundByModel,
    shortLived(({ query }) => (query?.size ?? 50) >= 50, day),
  ),
  fault(
    'among the children of a group a list of one name that starts over forgets the name',
    foundByModel,
    startingOver((contract) => ({
      matchesName: (item, name, at) => at.query?.childrenOf !== undefined || contract.matchesName(item, name, at),
    })),
  ),
]
