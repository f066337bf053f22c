import type { At } from '../../domain/at.ts'
import type { Item } from '../../domain/item.ts'
import { type Fault, fault } from '../../fault.ts'
import { during, on, overGrpc } from '../../replace.ts'
import { pause } from '../pause.ts'
import { foundByModel } from '../run/histories.ts'

const updates = ['grpc.update.*']

/** Faults in what is written over gRPC, or read there after it was written over HTTP (S1.5). */
export const grpcWriteFaults: readonly Fault[] = [
  fault(
    'the mask is ignored over gRPC',
    { turnsRed: ['grpc.update.mask.name', 'grpc.update.mask.description'], spreadsTo: updates },
    overGrpc({ mask: () => undefined }),
  ),
  fault(
    'only the first field of a mask counts over gRPC',
    ['grpc.update.mask.several'],
    overGrpc((contract) => ({ mask: (raw, at) => contract.mask(raw, at)?.slice(0, 1) })),
  ),
  fault(
    'an update over gRPC empties what is not sent',
    { turnsRed: ['grpc.update.unmasked'], spreadsTo: ['grpc.*'] },
    overGrpc(
      during('update', (contract) => ({
        changed: (sent, mask, settable, at) =>
          mask ? contract.changed(sent, mask, settable, at) : ['name', 'description'],
        emptied: () => '',
        nameProblem: () => undefined,
      })),
    ),
  ),
  fault(
    'an update over gRPC answers the group as it was',
    { turnsRed: ['grpc.update.answer'], spreadsTo: updates },
    overGrpc({
      modify({ read, change, write }) {
        const before = read()
        write(change(before))
        return before
      },
    }),
  ),
  fault('an update over one protocol is lost beside one over the other', foundByModel, () => {
    const last = new Map<string, Promise<unknown>>()
    return {
      modify({ read, change, write }, { over }) {
        const own = `${over} ${read().uid}`
        const turn = (last.get(own) ?? Promise.resolve()).then(async () => {
          const next = change(read())
          await pause(5)
          write(next)
          return next
        })
        last.set(
          own,
          turn.catch(() => {}),
        )
        return turn
      },
    }
  }),
  fault(
    'an update over gRPC is not stored',
    { turnsRed: ['grpc.update.read-over-http', 'grpc.update.read-over-http@identities'], spreadsTo: updates },
    overGrpc({ modify: ({ read, change }) => change(read()) }),
  ),
  fault(
    'a description cannot be cleared over gRPC',
    ['grpc.update.mask.clears'],
    overGrpc((contract) => ({
      stored: (value, field, at) => (value === '' ? 'none' : contract.stored(value, field, at)),
    })),
  ),
  fault(
    'a client can verify its group over gRPC',
    ['grpc.update.server-owned'],
    overGrpc(
      on(
        'groups',
        during('update', (contract) => ({ settable: (at) => [...contract.settable(at), 'verified'] })),
      ),
    ),
  ),
  fault(
    'gRPC shows groups and identities as it saw them first',
    {
      turnsRed: ['grpc.update.of-http', 'grpc.update.of-http@identities'],
      spreadsTo: ['grpc.*'],
    },
    () => {
      const cached = new Map<string, Item>()
      return {
        seen(item, { over, operation }) {
          if (over !== 'grpc' || operation !== 'get') return item
          const first = cached.get(item.uid) ?? item
          cached.set(item.uid, first)
          return first
        },
      }
    },
  ),
  fault(
    'gRPC still lists what HTTP deleted',
    {
      turnsRed: ['grpc.delete.of-http', 'grpc.delete.of-http@identities', 'grpc.delete.of-http@roleBindings'],
      spreadsTo: ['grpc.*'],
    },
    (contract) => {
      const gone: Item[] = []
      return {
        forget(steps, item, at) {
          if (at.over !== 'grpc') gone.push(item)
          contract.forget(steps, item, at)
        },
        *candidates(at) {
          yield* contract.candidates(at)
          if (at.over === 'grpc') yield* gone.filter(({ kind }) => kind === at.kind)
        },
      }
    },
  ),
  fault(
    'what gRPC creates is invisible over HTTP',
    {
      turnsRed: [
        'grpc.create.read-over-http',
        'grpc.create.read-over-http@identities',
        'grpc.create.read-over-http@roleBindings',
      ],
      spreadsTo: ['grpc.*', 'model.*'],
    },
    (contract) => {
      const own = new Set<string>()
      return {
        keep(item, at) {
          if (at.over === 'grpc') own.add(item.uid)
          contract.keep(item, at)
        },
        belongs: (item, at) => contract.belongs(item, at) && (at.over === 'grpc' || !own.has(item.uid)),
      }
    },
  ),
  fault(
    'what HTTP creates is not listed over gRPC',
    {
      turnsRed: ['grpc.create.of-http', 'grpc.create.of-http@identities', 'grpc.create.of-http@roleBindings'],
      spreadsTo: ['grpc.*'],
    },
    (contract) => {
      const others = new Set<string>()
      return {
        keep(item, at) {
          if (at.over !== 'grpc') others.add(item.uid)
          contract.keep(item, at)
        },
        candidates: (at) =>
          at.over === 'grpc'
            ? [...contract.candidates(at)].filter(({ uid }) => !others.has(uid))
            : contract.candidates(at),
      }
    },
  ),
  fault(
    'Delete over gRPC succeeds and deletes nothing',
    {
      turnsRed: [
        'grpc.delete.gone-over-http',
        'grpc.delete.gone-over-http@identities',
        'grpc.delete.gone-over-http@roleBindings',
      ],
      spreadsTo: ['grpc.*'],
    },
    overGrpc({ forget: () => {} }),
  ),
  fault(
    'new groups are verified over gRPC',
    ['grpc.create.defaults'],
    overGrpc(on('groups', (contract) => ({ newborn: (at) => ({ ...contract.newborn(at), verified: true }) }))),
  ),
  fault(
    'descriptions lose their letters beyond ASCII over gRPC',
    ['grpc.create.as-sent'],
    overGrpc({ stored: (value) => (typeof value === 'string' ? value.replace(/[^\x20-\x7e]/g, '?') : value) }),
  ),
  fault(
    'the subject of a claim match is lost over gRPC',
    { turnsRed: ['grpc.identity.claims'], spreadsTo: ['grpc.*'] },
    overGrpc(
      on('identities', (contract) => ({
        stored: (value, field, at) =>
          field === 'claimMatch' ? { ...(value as object), subject: 'anyone' } : contract.stored(value, field, at),
      })),
    ),
  ),
  fault(
    'over gRPC a new role binding takes the uid and the createTime that it is sent',
    foundByModel,
    overGrpc(
      on(
        'roleBindings',
        during('create', (contract) => {
          const sent = new WeakMap<At, { uid?: string; createTime?: string }>()
          return {
            grpcRequest(request, at) {
              const asked = contract.grpcRequest(request, at)
              sent.set(at, Object(asked.roleBinding))
              return asked
            },
            mintUid: (parent, at) => sent.get(at)?.uid || contract.mintUid(parent, at),
            born(now, at) {
              const times = contract.born(now, at)
              const { createTime } = sent.get(at) ?? {}
              return createTime ? { ...times, createTime: Date.parse(createTime) } : times
            },
          }
        }),
      ),
    ),
  ),
]
