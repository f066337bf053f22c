import { setTimeout as sleep } from 'node:timers/promises'
import { isDeepStrictEqual } from 'node:util'
import { Refusal } from '../domain/refusal.ts'
import { type Variant, variant } from '../fault.ts'
import { on, type Replacement, unmasked, withBody } from '../replace.ts'

/** Lawful ways to update. */
export const updateVariants: readonly Variant[] = [
  variant('an update of nothing moves updateTime', () => ({
    touched: ({ createTime, updateTime }, _differs, now) => ({
      createTime,
      updateTime: Math.max(now, updateTime + 1),
    }),
  })),
  variant('an update of nothing is refused', (contract) => ({
    changed(fields, mask, settable, at) {
      if (fields.length === 0) throw new Refusal('invalid', 'body', 'nothing to update')
      return contract.changed(fields, mask, settable, at)
    },
  })),
  variant('an update to the values that are there already is refused', (contract) => ({
    modify({ read, change, write }, at) {
      const before = read()
      const next = change(before)
      if (isDeepStrictEqual({ ...next, updateTime: before.updateTime }, before))
        throw new Refusal('invalid', 'body', 'that is how it is already')
      return contract.modify({ read: () => before, change: () => next, write }, at)
    },
  })),
  variant(
    'an empty description without a mask is not populated',
    unmasked(
      withBody((sent, contract) => ({
        changed: (fields, mask, settable, at) =>
          contract.changed(fields, mask, settable, at).filter((field) => sent(at)[field] !== ''),
      })),
    ),
    ['group.update.clears-unmasked'],
  ),
  variant('a claim match that a mask lists and the body lacks is emptied', (contract) => {
    const none = {}
    return {
      emptied: (field, at) => (field === 'claimMatch' ? none : contract.emptied(field, at)),
      claimMatchProblem: (claims, at) => (claims === none ? undefined : contract.claimMatchProblem(claims, at)),
    }
  }),
  variant('a mask lists one field at the most', () => ({ mask: (raw) => (raw ? [raw] : undefined) }), [
    'group.update.mask.several',
  ]),
  variant('a mask with a field that cannot be updated is refused', (contract) => ({
    mask(raw, at) {
      const fields = contract.mask(raw, at)
      const wrong = fields?.find((field) => !contract.settable(at).includes(field))
      if (wrong !== undefined) throw new Refusal('invalid', 'updateMask', `${wrong} cannot be updated`)
      return fields
    },
  })),
  variant('of two updates at once one is refused', oneAtATime()),
  variant('of two updates of one group at once one is aborted', oneAtATime({ code: 10 })),
  // over gRPC, UNKNOWN is the server's own fault
  variant(
    'of two updates at once one fails its precondition',
    oneAtATime({ code: 2, status: 412 }),
    ['service.faults'],
    'may warn',
  ),
  variant('a mask may be spelt in capitals', (contract) => ({
    mask: (raw, at) => contract.mask(raw, at)?.map((field) => field.charAt(0).toLowerCase() + field.slice(1)),
  })),
  variant(
    'what the server owns is refused',
    on(
      'groups',
      withBody((sent, contract) => ({
        changed(fields, mask, settable, at) {
          const owned = ['uid', 'verified', 'createTime', 'updateTime', 'resourceLimits'].find(
            (member) => member in sent(at) && !mask,
          )
          if (owned) throw new Refusal('invalid', owned, 'the server owns this')
          return contract.changed(fields, mask, settable, at)
        },
      })),
    ),
  ),
  variant('of two writes in one group at once the later one is aborted, of whatever kind', (contract) => {
    const busyUntil = new Map<string, number>()
    return {
      transport(request, response, serve, at) {
        const { method, url = '' } = request
        const [, uid = ''] = /\/(?:groups|identities|roleBindings)\/([^?]+)/.exec(url) ?? []
        const place = method === 'POST' ? uid : uid.slice(0, Math.max(0, uid.lastIndexOf('/')))
        if (method === 'GET' || place === '') return contract.transport(request, response, serve, at)
        if ((busyUntil.get(place) ?? 0) > performance.now()) {
          const body = JSON.stringify({ code: 10, message: 'aborted: try again', details: [] })
          response.writeHead(409, { 'content-type': 'application/json' }).end(body)
          return Promise.resolve()
        }
        busyUntil.set(place, performance.now() + 2)
        return contract.transport(request, response, serve, at)
      },
    }
  }),
]

/** Refuses an update while another of the same resource is in progress; by default as a conflict. */
function oneAtATime({ code, status }: { code?: number; status?: number } = {}): Replacement {
  return (contract) => {
    const busy = new Set<string>()
    const itsWords = 'it has just changed'
    const isConflict = ({ description }: Refusal) => description === itsWords
    return {
      async modify(steps, at) {
        const { uid } = steps.read()
        if (busy.has(uid)) throw new Refusal('taken', at.kind, itsWords)
        busy.add(uid)
        try {
          await sleep(3)
          return await contract.modify(steps, at)
        } finally {
          busy.delete(uid)
        }
      },
      errorCode: (refusal, at) => (isConflict(refusal) && code) || contract.errorCode(refusal, at),
      errorStatus: (refusal, at) => (isConflict(refusal) && status) || contract.errorStatus(refusal, at),
    }
  }
}
