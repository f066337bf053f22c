import type { Item } from '../../domain/item.ts'
import { type Fault, fault } from '../../fault.ts'
import { during, on, withBody } from '../../replace.ts'
import { firstInArray, foundAbove } from '../lookups.ts'
import { uidIn } from '../paths.ts'
import { pause } from '../pause.ts'
import { foundByModel, storedAs, watching } from '../run/histories.ts'

/** Faults in Create of an identity (S4.3). */
export const identityCreateFaults: readonly Fault[] = [
  fault('an identity in an array is made', foundByModel, on('identities', firstInArray)),
  fault(
    'an identity keeps ninety letters of its description',
    ['identity.create.answers'],
    on('identities', {
      stored: (value, field) => (field === 'description' ? String(value).slice(0, 90) : value),
    }),
  ),
  fault(
    'the description of a new identity is escaped for a page',
    foundByModel,
    on(
      'identities',
      during('create', (contract) => ({
        stored: (value, field, at) =>
          field === 'description'
            ? String(value).replaceAll('&', '&amp;').replaceAll('<', '&lt;')
            : contract.stored(value, field, at),
      })),
    ),
  ),
  fault(
    'a client says when it was that a new identity was seen',
    foundByModel,
    on(
      'identities',
      withBody((sent, contract) => ({
        born: (now, at) => ({
          ...contract.born(now, at),
          lastSeenTime: Date.parse(String(sent(at).lastSeenTime)) || now,
        }),
      })),
    ),
  ),
  fault(
    'an identity may be made with an empty name',
    { turnsRed: ['model.identity.refusal'], spreadsTo: ['model.inputs.values'] },
    on(
      'identities',
      during('create', (contract) => ({
        nameProblem: (name, at) => (name === '' ? undefined : contract.nameProblem(name, at)),
      })),
    ),
  ),
  fault(
    'below a group that is missing an identity is made all the same',
    ['identity.create.missing'],
    on('identities', during('create', foundAbove)),
  ),
  fault(
    'a new identity is answered without the time when it was last seen',
    ['identity.create.shape', 'identity.last-seen.new'],
    during('create', ({ identity }) => ({
      identity(...given) {
        const { lastSeenTime: _, ...fields } = identity(...given)
        return fields
      },
    })),
  ),
  fault(
    'an identity needs no name',
    ['identity.name.required', 'identity.name.error'],
    on('identities', during('create', { nameProblem: () => undefined })),
  ),
  fault(
    'identities have blanks for underscores',
    ['identity.name.kept'],
    on('identities', (contract) => ({
      stored: (value, field, at) =>
        field === 'name' ? String(value).replaceAll('_', ' ') : contract.stored(value, field, at),
    })),
  ),
  fault(
    'an identity takes the uid that it is sent',
    ['identity.uid.unchosen'],
    on(
      'identities',
      withBody((sent, contract) => ({
        mintUid: (parent, at) => String(sent(at).uid ?? contract.mintUid(parent, at)),
      })),
    ),
  ),
  fault(
    'an identity needs a description',
    ['identity.description.optional'],
    on(
      'identities',
      during('create', {
        descriptionProblem: (description) => (description ? undefined : 'a description is required'),
      }),
    ),
  ),
  fault(
    'the name of an identity has at most twenty letters',
    ['identity.name.ordinary'],
    on(
      'identities',
      during('create', (contract) => ({
        nameProblem: (name, at) => (String(name).length > 20 ? 'a name is too long' : contract.nameProblem(name, at)),
      })),
    ),
  ),
  fault(
    'an identity with the name of a deleted one was made when that one was',
    foundByModel,
    on(
      'identities',
      withBody((sent, contract) => {
        const gone = new Map<unknown, number>()
        return {
          forget(steps, item, at) {
            gone.set(item.name, item.createTime)
            contract.forget(steps, item, at)
          },
          born(now, at) {
            const times = contract.born(now, at)
            return { ...times, createTime: gone.get(sent(at).name) ?? times.createTime }
          },
        }
      }),
    ),
  ),
  fault('an identity takes its name from a group beside it', foundByModel, (contract) => {
    const lost = new Set<string>()
    return {
      keep(item, at) {
        const beside = item.kind === 'identities' ? at.world.store.under('groups', item.parent) : []
        for (const { name, uid } of beside) if (name === item.name) lost.add(uid)
        contract.keep(item, at)
      },
      ...watching(contract, (old, next) => {
        if (old.name !== next.name) lost.delete(next.uid)
      }),
      matchesName: (item, name, at) => contract.matchesName(item, name, at) && !lost.has(item.uid),
    }
  }),
  fault(
    'of two identities of one name that are made at once one takes the place of the other',
    foundByModel,
    on(
      'identities',
      withBody((sent, contract) => {
        const running = new Map<string, { calls: number; uids: Map<unknown, string> }>()
        return {
          async transport(request, response, serve, at) {
            if (at.operation !== 'create') return contract.transport(request, response, serve, at)
            const home = uidIn(request.url)
            const together = running.get(home) ?? { calls: 0, uids: new Map() }
            running.set(home, together)
            together.calls++
            await pause(5)
            try {
              await contract.transport(request, response, serve, at)
            } finally {
              if (--together.calls === 0) running.delete(home)
            }
          },
          mintUid(parent, at) {
            const { uids } = running.get(parent.uid) ?? {}
            const { name } = sent(at)
            const uid = uids?.get(name) ?? contract.mintUid(parent, at)
            uids?.set(name, uid)
            return uid
          },
        }
      }),
    ),
  ),
  fault(
    'two blanks in the name of an identity become one',
    foundByModel,
    on(
      'identities',
      storedAs('name', (text) => text.replace(/ +/g, ' ')),
    ),
  ),
  fault(
    'an identity whose name differs from that of a sibling in capitals only takes its place',
    foundByModel,
    on('identities', (contract) => ({
      keep(item, at) {
        const { store } = at.world
        const isTwin = ({ name }: Item) => name !== item.name && name.toLowerCase() === item.name.toLowerCase()
        const twin = [...store.under('identities', item.parent)].find(isTwin)
        if (twin) {
          store.drop(twin)
          store.unlist(twin)
        }
        contract.keep(item, at)
      },
    })),
  ),
]
