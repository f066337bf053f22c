import { Readable } from 'node:stream'
import type { At } from '../../domain/at.ts'
import type { Item, Kind } from '../../domain/item.ts'
import { type Fault, fault } from '../../fault.ts'
import { on, overGrpc, type Replacement } from '../../replace.ts'
import { writtenLate } from '../run/histories.ts'
import { doorOf, following, foundByDoors, undeleted } from './doors.ts'

const day = 24 * 60 * 60 * 1000

/** A mask of several fields is read in another way. */
const severalAs = (kind: Kind, read: (fields: readonly string[]) => readonly string[] | undefined): Replacement =>
  on(kind, (contract) => ({
    mask(raw, at) {
      const fields = contract.mask(raw, at)
      return fields && fields.length > 1 ? read(fields) : fields
    },
  }))

/** Deletes of what is old are answered and forgotten. */
const oldStays =
  (kind: Kind, applies: (at: At) => boolean): Replacement =>
  (contract) => ({
    forget(steps, item, at) {
      const isOld = item.kind === kind && at.kind === kind && at.world.now() - item.createTime > day
      if (!isOld || !applies(at)) contract.forget(steps, item, at)
    },
  })

/** Faults in masks, exchanges, ages and bodies that only one kind, protocol or form of sending shows. */
export const besideDoorFaults: readonly Fault[] = [
  fault(
    'a mask of several fields changes nothing of an account association',
    ['update.mask.several@accountAssociations'],
    severalAs('accountAssociations', () => []),
  ),
  fault(
    'a mask of several fields changes the first of an identity provider',
    ['update.mask.several@identityProviders'],
    severalAs('identityProviders', (fields) => fields.slice(0, 1)),
  ),
  fault(
    'over gRPC a mask lets a client verify its group',
    foundByDoors,
    overGrpc(
      on('groups', (contract) => {
        const masks = new WeakMap<At, readonly string[] | undefined>()
        return {
          mask(raw, at) {
            const fields = contract.mask(raw, at)
            masks.set(at, fields)
            return fields
          },
          settable: (at) =>
            masks.get(at)?.includes('verified') ? [...contract.settable(at), 'verified'] : contract.settable(at),
        }
      }),
    ),
  ),
  fault(
    'an identity that gRPC made keeps for the exchange the claims of its create when HTTP changes them',
    foundByDoors,
    (contract) => {
      const made = new Map<string, Item>()
      const changed = new Set<string>()
      return {
        keep(item, at) {
          contract.keep(item, at)
          if (item.kind === 'identities' && doorOf(at) === 'grpc') made.set(item.uid, item)
        },
        modify(steps, at) {
          if (doorOf(at) === 'http') changed.add(steps.read().uid)
          return contract.modify(steps, at)
        },
        assumable(uid, at) {
          const found = contract.assumable(uid, at)
          const first = changed.has(uid) ? made.get(uid) : undefined
          return found && first ? { ...found, claimMatch: first.claimMatch! } : found
        },
      }
    },
  ),
  fault(
    'an identity that HTTP made is assumed after gRPC deleted it',
    foundByDoors,
    following('identities', (last) => (contract) => {
      const gone = new Map<string, NonNullable<ReturnType<typeof contract.assumable>>>()
      return {
        forget(steps, item, at) {
          const write = last(item.uid)
          if (item.kind === 'identities' && write?.by === 'http' && doorOf(at) === 'grpc') gone.set(item.uid, item)
          contract.forget(steps, item, at)
        },
        assumable: (uid, at) => contract.assumable(uid, at) ?? gone.get(uid),
      }
    }),
  ),
  fault(
    'of updates of one identity over both protocols at once one is lost',
    foundByDoors,
    overGrpc(on('identities', writtenLate(8))),
  ),
  fault(
    'over gRPC a role binding that is older than a day stays when it is deleted',
    foundByDoors,
    oldStays('roleBindings', (at) => doorOf(at) === 'grpc'),
  ),
  fault(
    'an invite that is older than a day stays when it is deleted',
    foundByDoors,
    oldStays('groupInvites', () => true),
  ),
  fault(
    'an account association that is older than a day stays when it is deleted',
    foundByDoors,
    oldStays('accountAssociations', () => true),
  ),
  fault(
    'an update of a role binding that is older than a day is answered and forgotten',
    foundByDoors,
    on('roleBindings', (contract) => ({
      modify(steps, at) {
        const old = steps.read()
        return at.world.now() - old.createTime > day ? steps.change(old) : contract.modify(steps, at)
      },
    })),
  ),
  fault(
    'a group that HTTP changed stays when gRPC deletes it',
    foundByDoors,
    undeleted('groups', ({ by, created }, at) => !created && by === 'http' && doorOf(at) === 'grpc'),
  ),
  fault('a letter that two pieces of a body share becomes question marks', foundByDoors, (contract) => ({
    transport(request, response, serve, at) {
      const pieces = request[Symbol.asyncIterator].bind(request)
      request[Symbol.asyncIterator] = () =>
        Readable.from(
          (async function* () {
            for await (const piece of pieces()) yield Buffer.from(String(piece))
          })(),
        )[Symbol.asyncIterator]()
      return contract.transport(request, response, serve, at)
    },
  })),
  fault('a small body that comes in pieces is cut after the first', foundByDoors, (contract) => ({
    transport(request, response, serve, at) {
      const pieces = request[Symbol.asyncIterator].bind(request)
      const small = Number(request.headers['content-length'] ?? 0) < 16_384
      if (small)
        request[Symbol.asyncIterator] = () =>
          Readable.from(
            (async function* () {
              let first = true
              for await (const piece of pieces()) {
                if (first) yield piece
                first = false
              }
            })(),
          )[Symbol.asyncIterator]()
      return contract.transport(request, response, serve, at)
    },
  })),
]
