import type { At } from '../../domain/at.ts'
import type { Item } from '../../domain/item.ts'
import { type Fault, fault } from '../../fault.ts'
import { inV1, on, withRequest } from '../../replace.ts'
import { doorOf, foundByDoors } from '../doors/doors.ts'
import { foundByModel } from '../run/histories.ts'

/** A JSON text whose escapes are not undone in the name of a description. */
const withEscapedNames = (text: string) =>
  text.replace(/"(?:[^"\\]|\\.)*"(?=\s*:)/g, (name) =>
    name !== '"description"' && JSON.parse(name) === 'description' ? '"escaped"' : name,
  )

/** Faults in refused calls, and in bodies that one door reads in its own way (R29, R51, S7.6). */
export const refusalCellFaults: readonly Fault[] = [
  fault('a PUT in v1 whose body comes in pieces leaves the description out', foundByModel, (contract) =>
    withRequest((request, rules) =>
      inV1(
        on('groups', {
          body(bytes, at) {
            const fields = rules.body(bytes, at)
            const isInPieces = request().headers['transfer-encoding'] === 'chunked'
            if (!fields || !isInPieces || at.operation !== 'update') return fields
            const { description: _, ...others } = fields
            return others
          },
        }),
      )(rules),
    )(contract),
  ),
  fault(
    'v1 overlooks a description whose name is escaped',
    foundByModel,
    inV1(
      on('groups', (contract) => ({
        body: (bytes, at) => contract.body(Buffer.from(withEscapedNames(Buffer.from(bytes).toString())), at),
      })),
    ),
  ),
  fault('v1 keeps the backslash of an escaped slash', foundByModel, (contract) =>
    inV1(
      on('groups', {
        body: (bytes, at) => contract.body(Buffer.from(Buffer.from(bytes).toString().replaceAll('\\/', '\\\\/')), at),
      }),
    )(contract),
  ),
  fault(
    'the description of an update that gRPC refused comes with the next good one over HTTP',
    foundByDoors,
    (contract) => {
      const refused = new Map<string, string>()
      return {
        ...on('groups', {
          leftByRefusedUpdate(before, wanted, at) {
            if (at.over === 'grpc' && wanted.description !== before.description)
              refused.set(before.uid, wanted.description)
            return contract.leftByRefusedUpdate(before, wanted, at)
          },
          modify({ read, change, write }, at) {
            const { uid } = read()
            const late = doorOf(at) === 'http' ? refused.get(uid) : undefined
            if (late !== undefined) refused.delete(uid)
            return contract.modify(
              { read, write, change: (old) => ({ ...change(old), ...(late !== undefined && { description: late }) }) },
              at,
            )
          },
        })(contract),
      }
    },
  ),
  fault(
    'an identity that is refused for half a claim match is kept',
    foundByModel,
    on('identities', (contract) => ({
      leftByRefusedCreate(draft, at) {
        const left = contract.leftByRefusedCreate(draft, at)
        return draft.name && draft.claimMatch ? [...left, draft] : left
      },
    })),
  ),
  fault('a rename that is refused under a mask takes the description beside it', foundByModel, (contract) => {
    const [naming, sent] = [new WeakSet<At>(), new WeakMap<At, unknown>()]
    return {
      body(bytes, at) {
        const fields = contract.body(bytes, at)
        sent.set(at, fields?.description)
        return fields
      },
      mask(raw, at) {
        const fields = contract.mask(raw, at)
        if (fields?.length === 1 && fields[0] === 'name') naming.add(at)
        return fields
      },
      ...on('groups', {
        leftByRefusedUpdate(before, wanted, at) {
          const left = contract.leftByRefusedUpdate(before, wanted, at)
          const description = sent.get(at)
          return naming.has(at) && typeof description === 'string' ? { ...left, description } : left
        },
      })(contract),
    }
  }),
  fault('over gRPC the second refusal to delete a group has no details', foundByDoors, (contract) => {
    const refused = new Set<string>()
    return {
      grpcDetails(details, refusal, at) {
        if (refusal.problem !== 'notEmpty') return contract.grpcDetails(details, refusal, at)
        const isSecond = refused.has(refusal.description)
        refused.add(refusal.description)
        return isSecond ? [] : contract.grpcDetails(details, refusal, at)
      },
    }
  }),
  fault('a second refusal of a bad name over gRPC has another status', foundByDoors, (contract) => {
    const refused = new Set<string>()
    return {
      grpcStatus(code, refusal, at) {
        if (refusal.problem !== 'invalid' || refusal.field !== 'name') return contract.grpcStatus(code, refusal, at)
        const isSecond = refused.has(refusal.description)
        refused.add(refusal.description)
        return isSecond ? 13 : contract.grpcStatus(code, refusal, at)
      },
    }
  }),
  fault(
    'a refused update over gRPC of an identity is shown by lists over HTTP until the next good one',
    foundByDoors,
    (contract) => {
      const shown = new Map<string, Item>()
      return {
        ...on('identities', {
          leftByRefusedUpdate(before, wanted, at) {
            if (at.over === 'grpc') shown.set(before.uid, { ...before, description: wanted.description })
            return contract.leftByRefusedUpdate(before, wanted, at)
          },
          modify(steps, at) {
            shown.delete(steps.read().uid)
            return contract.modify(steps, at)
          },
        })(contract),
        seen(item, at) {
          const found = contract.seen(item, at)
          const isList = item.kind === 'identities' && at.operation === 'list' && doorOf(at) === 'http'
          return found && isList ? (shown.get(item.uid) ?? found) : found
        },
      }
    },
  ),
]
