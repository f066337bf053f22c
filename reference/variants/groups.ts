import { randomBytes } from 'node:crypto'
import type { At } from '../domain/at.ts'
import type { Item } from '../domain/item.ts'
import { Refusal } from '../domain/refusal.ts'
import { type Variant, variant } from '../fault.ts'
import { during, on, type Replacement } from '../replace.ts'

/** Such creates know a new group a second after it was made. */
const knownLate =
  (isLate: (at: At) => boolean): Replacement =>
  (contract) => ({
    found(uid, kind, at) {
      const item = contract.found(uid, kind, at)
      const isParent = kind === 'groups' && at.operation === 'create' && isLate(at)
      // what was there before the run is known
      const isNew = item !== undefined && item.uid.split('/').length > 2 && at.world.now() - item.createTime < 1_000
      return isParent && isNew ? undefined : item
    },
  })

/** Lawful groups: their uids, names, limits, and how many there may be. */
export const groupVariants: readonly Variant[] = [
  variant(
    'a new group has limits',
    on('groups', {
      newborn: () => ({
        description: '',
        resourceLimits: { repositories: 10, clusters: 0, seats: 3 },
        verified: false,
      }),
    }),
  ),
  variant('digits above nine are capitals', () => ({
    mintUid: (parent) => `${parent.uid}/${randomBytes(8).toString('hex').toUpperCase()}`,
  })),
  variant('segments have four to thirty-two digits', () => {
    const lengths = [4, 8, 32, 6]
    let count = 0
    return {
      mintUid(parent, at) {
        const { store } = at.world
        for (;;) {
          const digits = lengths[count++ % lengths.length]
          const uid = `${parent.uid}/${randomBytes(16).toString('hex').slice(0, digits)}`
          if (!(['groups', 'identities', 'roleBindings'] as const).some((kind) => store.get(kind, uid))) return uid
        }
      },
    }
  }),
  variant('no name is used twice in an organization, even after its group is gone', (contract) => {
    const owners = new Map<string, string>()
    return on('groups', {
      nameTaken: (wanted) => (owners.get(wanted.name) ?? wanted.uid) !== wanted.uid,
      keep(item, at) {
        contract.keep(item, at)
        owners.set(item.name, item.uid)
      },
      modify(steps, at) {
        const write = (next: Item) => {
          steps.write(next)
          owners.set(next.name, next.uid)
        }
        return contract.modify({ ...steps, write }, at)
      },
    })(contract)
  }),
  variant(
    'a name has three to sixty-three characters, and none of them punctuation at an end',
    on('groups', (contract) => ({
      nameProblem: (name, at) =>
        contract.nameProblem(name, at) ??
        (/^[a-z0-9]([ ._-]?[a-z0-9]){2,}$/.test(String(name)) && String(name).length <= 63
          ? undefined
          : 'a name has 3 to 63 characters'),
    })),
    ['group.name.accepts.unusual'],
  ),
  variant(
    'a name has at most thirty characters',
    on('groups', (contract) => ({
      nameProblem: (name, at) =>
        contract.nameProblem(name, at) ?? (String(name).length > 30 ? 'a name has at most 30 characters' : undefined),
    })),
    ['group.name.accepts.sixty-three-characters', 'group.update.name.accepts-long'],
  ),
  variant(
    'a description has at most a hundred characters',
    on('groups', (contract) => ({
      descriptionProblem: (description, at) =>
        String(description ?? '').length > 100
          ? 'a description has at most 100 characters'
          : contract.descriptionProblem(description, at),
    })),
    ['group.description.long'],
  ),
  variant(
    'a description holds letters, digits, blanks and usual punctuation',
    on('groups', (contract) => ({
      descriptionProblem: (description, at) =>
        /[^A-Za-z0-9 .,:;!?()'-]/.test(String(description ?? ''))
          ? 'a description is plain text'
          : contract.descriptionProblem(description, at),
    })),
  ),
  variant(
    'a name is refused where a sibling has it, as taken',
    on('groups', {
      nameTaken: (wanted, at) =>
        [...at.world.store.under('groups', wanted.parent)].some(
          ({ uid, name }) => name === wanted.name && uid !== wanted.uid,
        ),
    }),
  ),
  variant('a description is ASCII', (contract) => ({
    descriptionProblem: (description, at) =>
      typeof description === 'string' && /[^ -~]/.test(description)
        ? 'a description is plain text'
        : contract.descriptionProblem(description, at),
  })),
  variant(
    'what is made and deleted in a group moves its updateTime',
    on('groups', (contract) => {
      const touch = (uid: string, at: Parameters<typeof contract.keep>[1]) => {
        const group = at.world.store.get('groups', uid)
        if (group) at.world.store.put({ ...group, updateTime: Math.max(at.world.now(), group.updateTime) })
      }
      return {
        keep(item, at) {
          contract.keep(item, at)
          touch(item.parent, at)
        },
        forget(steps, item, at) {
          contract.forget(steps, item, at)
          touch(item.parent, at)
        },
      }
    }),
  ),
  variant(
    'no group lies deeper than two below a scratch group',
    on(
      'groups',
      during('create', (contract) => ({
        objection: (uid, at) =>
          uid.split('/').length > 5
            ? new Refusal('forbidden', 'groups', 'no group may lie so deep')
            : contract.objection(uid, at),
      })),
    ),
  ),
  variant('nobody may use a group in the first second of its life', (contract) => ({
    objection(uid, at) {
      const group = at.kind === 'none' ? undefined : at.world.store.get('groups', uid)
      const isNew = group !== undefined && group.createTime > at.world.now() - 1_000
      return isNew ? new Refusal('forbidden', 'groups', 'rights spread') : contract.objection(uid, at)
    },
  })),
  variant('a group has room for two hundred and thirty others', (contract) => ({
    objection: (uid, at) =>
      at.operation === 'create' && at.kind === 'groups' && [...at.world.store.under('groups', uid)].length >= 230
        ? new Refusal('forbidden', 'parent', 'there is no more room')
        : contract.objection(uid, at),
  })),
  variant('others write in the same organization all the time', (contract) => {
    let calls = 0
    const made: Item[] = []
    return {
      transport(request, response, serve, at) {
        const { store, operator, now } = at.world
        const working = [...store.under('groups', operator.org)]
        for (const parent of calls++ % 5 === 0 ? working : []) {
          const uid = contract.mintUid(parent, at)
          const item = { ...parent, uid, parent: parent.uid, name: `neighbour ${calls}`, createTime: now() }
          store.put(item)
          made.push(item)
        }
        const old = made.length > 40 ? made.shift() : undefined
        if (old) {
          store.drop(old)
          store.unlist(old)
        }
        return contract.transport(request, response, serve, at)
      },
    }
  }),
  variant('a group is verified by a job two seconds after it was made', (contract) => ({
    group(item, time, at) {
      const verified = at.operation !== 'create' && at.world.now() - item.createTime > 2_000
      return contract.group({ ...item, verified }, time, at)
    },
  })),
  variant('a job verifies a group fifteen seconds after it was made, which moves its updateTime', (contract) => {
    const later = (item: Item, { operation, world: { now } }: At): Item => {
      const verified = operation !== 'create' && now() - item.createTime > 15_000
      return verified ? { ...item, verified, updateTime: Math.max(item.updateTime, item.createTime + 15_000) } : item
    }
    return {
      group: (item, time, at) => contract.group(later(item, at), time, at),
      v1Group: (item, time, at) => contract.v1Group(later(item, at), time, at),
    }
  }),
  variant('whatever changes in a group moves the updateTime of all groups above it', (contract) => {
    const touch = ({ parent }: Item, { world: { store, now } }: At) => {
      for (let at = parent; at !== ''; at = at.slice(0, Math.max(0, at.lastIndexOf('/')))) {
        const group = store.get('groups', at)
        if (group && group.updateTime < now()) store.put({ ...group, updateTime: now() })
      }
    }
    return {
      keep(item, at) {
        contract.keep(item, at)
        touch(item, at)
      },
      async modify(steps, at) {
        const next = await contract.modify(steps, at)
        touch(next, at)
        return next
      },
      forget(steps, item, at) {
        contract.forget(steps, item, at)
        touch(item, at)
      },
    }
  }),
  variant(
    'a group is known to creates in it a second after it was made',
    knownLate(() => true),
  ),
  variant(
    'a group is known to creates in it a second after it was made, and at once in v1',
    knownLate(({ version }) => version !== 'v1'),
  ),
]
