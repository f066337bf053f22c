import { type Fault, fault } from '../fault.ts'
import { during, inV1, on } from '../replace.ts'
import { day, hour } from './durations.ts'
import { foundByModel } from './run/histories.ts'

/** Faults in timestamps and clocks (S2.4, R2). */
export const timeFaults: readonly Fault[] = [
  fault('local times are written with a Z', ['time.clock'], () => ({
    timestamp: (milliseconds) => new Date(milliseconds + 2 * 60 * 60 * 1000).toISOString(),
  })),
  fault(
    'the clock of identities is an hour off',
    ['time.clock.all', 'time.follows@identities'],
    on('identities', (contract) => ({ born: (now, at) => contract.born(now + hour, at) })),
  ),
  fault(
    'groups are made by a clock that nobody moves',
    ['time.follows'],
    on('groups', (contract) => ({ born: (_now, at) => contract.born(Date.now(), at) })),
  ),
  fault(
    'bindings are made by a clock that nobody moves',
    ['time.follows@roleBindings'],
    on('roleBindings', (contract) => ({ born: (_now, at) => contract.born(Date.now(), at) })),
  ),
  fault('what is changed is stamped by a clock that nobody moves', ['time.follows.updates'], (contract) => {
    const really = new Map<string, number>()
    return {
      keep(item, at) {
        really.set(item.uid, Date.now())
        contract.keep(item, at)
      },
      touched(old, differs, now, at) {
        const unmoved = old.createTime + Date.now() - (really.get(old.uid) ?? 0)
        return contract.touched(old, differs, Math.min(now, unmoved), at)
      },
    }
  }),
  fault('times have microseconds', ['time.format', 'time.form'], () => ({
    timestamp: (milliseconds) => new Date(milliseconds).toISOString().replace('Z', '457Z'),
  })),
  fault(
    'a list of identities writes the zone without a colon',
    ['time.format', 'time.form'],
    on(
      'identities',
      during('list', {
        timestamp: (milliseconds) => new Date(milliseconds).toISOString().replace('Z', '+0000'),
      }),
    ),
  ),
  fault(
    'createTime is given to the second',
    { turnsRed: ['time.precision'], spreadsTo: ['list.walk.complete', 'list.order.created_at*'] },
    (contract) => ({
      text: (body, at) => String(contract.text(body, at)).replaceAll(/("createTime":"[^".]+)\.\d+Z/g, '$1Z'),
    }),
  ),
  fault(
    'an identity that was not seen for two days shows no lastSeenTime',
    foundByModel,
    on('identities', (contract) => ({
      identity(item, time, at) {
        const { lastSeenTime, ...others } = contract.identity(item, time, at)
        const isOld = at.world.now() - (item.lastSeenTime ?? item.createTime) > 2 * day
        return isOld ? others : { ...others, lastSeenTime }
      },
    })),
  ),
  fault(
    'v1 shows the time of day of a group that is two days old, and no date',
    foundByModel,
    on(
      'groups',
      inV1((contract) => ({
        timestamp: (milliseconds, at) =>
          at.world.now() - milliseconds > 2 * day
            ? contract.timestamp(milliseconds % day, at)
            : contract.timestamp(milliseconds, at),
      })),
    ),
  ),
  fault(
    'the times of bindings are whole seconds',
    { turnsRed: ['time.precision@roleBindings'], spreadsTo: ['time.precision@*', 'model.inputs.*', 'roleBinding.*'] },
    on('roleBindings', (contract) => ({
      born: (now, at) => contract.born(Math.floor(now / 1000) * 1000, at),
      timestamp: (milliseconds, at) => contract.timestamp(milliseconds, at).replace('.000', ''),
    })),
  ),
  fault(
    'the times of identities are whole seconds',
    { turnsRed: ['time.precision@identities'], spreadsTo: ['model.inputs.*', 'identity.*'] },
    on('identities', (contract) => ({
      timestamp: (milliseconds, at) => contract.timestamp(milliseconds, at).replace(/\.\d+/, ''),
    })),
  ),
  fault(
    'the times of identities have a fraction of zeros',
    { turnsRed: ['time.precision.kept@identities'], spreadsTo: ['time.precision*', 'model.inputs.*', 'identity.*'] },
    on('identities', (contract) => ({
      timestamp: (milliseconds, at) => contract.timestamp(Math.floor(milliseconds / 1000) * 1000, at),
    })),
  ),
  fault(
    'what is changed a day after it was made gets a new createTime',
    foundByModel,
    on('groups', (contract) => ({
      touched: (old, differs, now, at) => ({
        ...contract.touched(old, differs, now, at),
        ...(now - old.createTime > day ? { createTime: now } : {}),
      }),
    })),
  ),
]
