import type { At } from '../../domain/at.ts'
import type { Item } from '../../domain/item.ts'
import { type Fault, fault } from '../../fault.ts'
import { during, on, type Replacement, withBody } from '../../replace.ts'
import { Counts, changed, foundByModel, watching } from '../run/histories.ts'

/** An update of v2 over HTTP, as it was sent. */
interface Sent {
  body: Record<string, unknown>
  mask: readonly string[] | undefined
}

/** Updates that are answered with another state than what is kept. */
const answered = (twist: (kept: Item, before: Item, sent: Sent) => Item): Replacement =>
  withBody((sent, contract) => {
    const masks = new WeakMap<At, readonly string[]>()
    return {
      mask(raw, at) {
        const fields = contract.mask(raw, at)
        if (fields) masks.set(at, fields)
        return fields
      },
      async modify(steps, at) {
        const before = steps.read()
        const kept = await contract.modify(steps, at)
        const isElsewhere = at.over === 'grpc' || at.version === 'v1'
        return isElsewhere ? kept : twist(kept, before, { body: sent(at), mask: masks.get(at) })
      },
    }
  })

const asItWasDescribed = answered((kept, before, { body, mask }) =>
  mask?.includes('description') && !('description' in body) ? { ...kept, description: before.description } : kept,
)

/** An answer without a body where that of the contract is about such a description. */
const silentOn = (isSuch: (description: string) => boolean): Replacement =>
  on('groups', (contract) => ({
    render(answer, at) {
      const { description } = (answer.body ?? {}) as { description?: unknown }
      const isSilent = typeof description === 'string' && isSuch(description)
      return contract.render(isSilent ? { ...answer, status: 204, body: undefined } : answer, at)
    },
  }))

/** Faults of answers that show another state than what is kept, or none (R25). */
export const keptFaults: readonly Fault[] = [
  ...(['groups', 'identities'] as const).map((kind) =>
    fault(
      `a description of ${kind} that a mask lists and the body lacks is answered as it was, and emptied`,
      foundByModel,
      on(kind, asItWasDescribed),
    ),
  ),
  fault(
    'an empty description without a mask is answered as it was, and taken',
    { turnsRed: ['model.*'], spreadsTo: ['group.update.*'] },
    answered((kept, before, { body, mask }) =>
      mask === undefined && body.description === '' ? { ...kept, description: before.description } : kept,
    ),
  ),
  fault(
    'an update under a mask of several fields is answered with the state before',
    foundByModel,
    answered((kept, before, { mask }) => (mask && mask.length > 1 ? before : kept)),
  ),
  fault(
    'an update of a name beside the present description is answered without a body',
    foundByModel,
    during(
      'update',
      withBody((sent, contract) => {
        const alike = new WeakSet<At>()
        return {
          ...changed(contract, (old, next, at) => {
            if (old.name !== next.name && sent(at).description === old.description) alike.add(at)
            return next
          }),
          render: (answer, at) =>
            contract.render(alike.has(at) ? { ...answer, status: 204, body: undefined } : answer, at),
        }
      }),
    ),
  ),
  fault(
    'Get of a group that was changed four times is answered with null',
    foundByModel,
    on('groups', (contract) => {
      const changes = new Counts()
      return {
        ...watching(contract, ({ uid }) => changes.add(uid)),
        text(body, at) {
          const { uid } = (body ?? {}) as { uid?: unknown }
          const isOften = at.operation === 'get' && at.version !== 'v1' && changes.of(String(uid)) > 3
          return contract.text(isOften ? null : body, at)
        },
      }
    }),
  ),
  fault(
    'a create of a group that is described in more than a thousand letters is answered without a body',
    foundByModel,
    during(
      'create',
      silentOn((description) => description.length > 1_000),
    ),
  ),
]
