import { during, type Fault, fault, on, type Replacement } from './replace.ts'

/** A token that is not the operator's, and is taken for it where it is like one that was good before. */
const takenFor =
  (alike: (token: string, good: ReadonlySet<string>) => boolean): Replacement =>
  (contract) => {
    const good = new Set<string>()
    return {
      async authenticate(token, reader, at) {
        const caller = await contract.authenticate(token, reader, at)
        if (caller) good.add(token)
        return caller ?? (alike(token, good) ? at.world.operator : undefined)
      },
    }
  }

const some = (good: ReadonlySet<string>, like: (one: string) => boolean) => [...good].some(like)

/** What stands above takes the place of a group that is missing. */
const above: Replacement = (contract) => ({
  found: (uid, kind, at) =>
    contract.found(uid, kind, at) ??
    (kind === 'groups' ? contract.found(uid.slice(0, uid.lastIndexOf('/')), kind, at) : undefined),
})

/** What goes wrong with one claim alone. */
export const faultsOfClaims: readonly Fault[] = [
  fault(
    'no create needs a token',
    ['auth.required.create*', 'auth.first'],
    during('create', () => ({ needsToken: () => false })),
  ),
  fault('a bearer without a token will do', ['auth.refuses.empty-token*'], (contract) => ({
    credential: (headers, query, at) =>
      /^bearer$/i.test(headers.authorization?.trim() ?? '')
        ? 'none'
        : contract.credential(headers, query, at),
    authenticate: async (token, reader, at) =>
      token === 'none' ? at.world.operator : contract.authenticate(token, reader, at),
  })),
  fault(
    'a token that is no JWT is waved through',
    ['auth.refuses.garbage*', 'auth.one-connection'],
    takenFor((token) => /^[a-z]+$/.test(token)),
  ),
  fault(
    'the end of a token does not matter',
    ['auth.refuses.cut-short*', 'auth.one-connection', 'auth.in-parallel'],
    takenFor((token, good) => token.length > 40 && some(good, (one) => one.startsWith(token))),
  ),
  fault(
    'what follows a token does not matter',
    ['auth.refuses.extended*'],
    takenFor((token, good) => some(good, (one) => token.startsWith(one))),
  ),
  fault(
    'tokens are told apart without regard to case',
    ['auth.refuses.altered*', 'auth.one-connection'],
    takenFor((token, good) => some(good, (one) => one.toLowerCase() === token.toLowerCase())),
  ),
  fault(
    'a new group shows its limits as text',
    ['group.create.shape'],
    on(
      'groups',
      during('create', (contract) => ({
        group: (...given) => ({ ...contract.group(...given), resourceLimits: 'none' }),
      })),
    ),
  ),
  fault(
    'Get shows limits that nobody set',
    ['group.get.same'],
    on(
      'groups',
      during('get', (contract) => ({
        group: (...given) => ({ ...contract.group(...given), resourceLimits: { clusters: 1 } }),
      })),
    ),
  ),
  fault(
    'names are at least four characters long',
    ['group.name.accepts.three-characters'],
    on('groups', (contract) => ({
      nameProblem: (name, at) =>
        String(name).length === 3 ? 'is too short' : contract.nameProblem(name, at),
    })),
  ),
  fault(
    'no hyphen is taken in a name',
    ['group.name.accepts.*', 'group.update.name.accepts'],
    on('groups', (contract) => ({
      nameProblem: (name, at) =>
        String(name).includes('-') ? 'has a hyphen' : contract.nameProblem(name, at),
    })),
  ),
  fault(
    'a name is read from its last line',
    ['group.name.refuses.newline-first', 'group.update.name.refused'],
    on('groups', (contract) => ({
      nameProblem: (name, at) =>
        contract.nameProblem(typeof name === 'string' ? (name.split('\n').at(-1) ?? '') || name : name, at),
    })),
  ),
  fault(
    'a binding is made with an answer of HTML',
    ['roleBinding.create.answers'],
    on('roleBindings', during('create', { text: () => '<p>done</p>' })),
  ),
  fault(
    'a new binding shows its createTime as a number',
    ['roleBinding.create.shape'],
    on(
      'roleBindings',
      during('create', (contract) => ({
        roleBinding: (...given) => ({ ...contract.roleBinding(...given), createTime: 7 }),
      })),
    ),
  ),
  fault(
    'a delete of a binding is a fault of the server',
    ['roleBinding.delete.answers', 'service.faults'],
    on('roleBindings', during('delete', { successStatus: () => 500 })),
  ),
  fault(
    'a delete of a group is a fault of the server',
    ['group.delete.answers', 'service.faults'],
    on('groups', during('delete', { successStatus: () => 500 })),
  ),
  fault(
    'below a group that is missing an identity is made all the same',
    ['identity.create.missing'],
    on('identities', during('create', above)),
  ),
  fault(
    'below a group that is missing a binding is made all the same',
    ['roleBinding.create.missing'],
    on('roleBindings', during('create', above)),
  ),
  fault(
    'an update of an identity changes those below its group, too',
    ['update.neighbours@identities'],
    on(
      'identities',
      during('update', {
        modify({ read, change, write }, at) {
          const before = read()
          const next = change(before)
          write(next)
          for (const other of at.world.store.all('identities')) {
            if (other.parent.startsWith(`${next.parent}/`)) write({ ...other, description: next.description })
          }
          return next
        },
      }),
    ),
  ),
  fault(
    'in place of an identity that is missing another one of its group is found',
    ['update.missing@identities'],
    on('identities', (contract) => ({
      found: (uid, kind, at) =>
        contract.found(uid, kind, at) ??
        [...at.world.store.all(kind)].find(({ parent }) => parent === uid.slice(0, uid.lastIndexOf('/'))),
    })),
  ),
]
