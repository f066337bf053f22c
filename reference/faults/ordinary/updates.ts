import type { At } from '../../domain/at.ts'
import type { Fields } from '../../domain/item.ts'
import { type Fault, fault } from '../../fault.ts'
import { during, on, withBody } from '../../replace.ts'
import { changed, foundByModel } from '../run/histories.ts'

/** Faults of writes with unusual values, or with none (R3, R6, R25). */
export const ordinaryUpdateFaults: readonly Fault[] = [
  fault(
    'a name is checked up to its first NUL',
    { turnsRed: ['group.name.refuses.any-other'], spreadsTo: ['group.*', 'v1.*', 'grpc.*'] },
    on('groups', (contract) => ({
      nameProblem: (name, at) => contract.nameProblem(typeof name === 'string' ? name.split('\0')[0] : name, at),
    })),
  ),
  fault(
    'a description that is the name is none',
    foundByModel,
    withBody((sent, contract) => ({
      stored(value, field, at) {
        const kept = contract.stored(value, field, at)
        const isName = field === 'description' && at.operation === 'create' && kept === sent(at).name
        return isName ? '' : kept
      },
      ...changed(contract, (old, next) =>
        next.description === next.name && next.description !== old.description ? { ...next, description: '' } : next,
      ),
    })),
  ),
  fault('an update that changes nothing is answered without the times', foundByModel, (contract) => {
    const idle = new WeakSet<At>()
    const bare = (fields: Fields, at: At): Fields => {
      const { createTime, updateTime, ...others } = fields
      return idle.has(at) ? others : fields
    }
    return {
      touched(old, differs, now, at) {
        if (!differs) idle.add(at)
        return contract.touched(old, differs, now, at)
      },
      group: (item, time, at) => bare(contract.group(item, time, at), at),
      identity: (item, time, at) => bare(contract.identity(item, time, at), at),
    }
  }),
  // S2.11, S4.26
  fault(
    'a null in place of a claim match empties it',
    foundByModel,
    on(
      'identities',
      during('update', (contract) => ({
        body(bytes, at) {
          const fields = contract.body(bytes, at)
          return fields?.claimMatch === null ? { ...fields, claimMatch: { issuer: '', subject: '' } } : fields
        },
        claimMatchProblem: (claimMatch, at) =>
          JSON.stringify(claimMatch) === '{"issuer":"","subject":""}'
            ? undefined
            : contract.claimMatchProblem(claimMatch, at),
      })),
    ),
  ),
]
