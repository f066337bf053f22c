import { randomBytes } from 'node:crypto'
import { Refusal } from '../domain/refusal.ts'
import { type Variant, variant } from '../fault.ts'
import { during, on, type Replacement, when } from '../replace.ts'

const forbidden = () => new Refusal('forbidden', 'identities', 'you may not do this')

const isUnreachable = (claimMatch: unknown) =>
  /\.example\b/.test(String((claimMatch as { issuer?: unknown } | null)?.issuer))

export const numbersForUids: Replacement = (contract) => {
  const last = new Map<string, number>()
  return {
    mintUid(parent, at) {
      if (at.kind === 'groups') return contract.mintUid(parent, at)
      const next = (last.get(at.kind) ?? 1_000) + 1
      last.set(at.kind, next)
      return String(next)
    },
  }
}

/** Lawful identities. */
export const identityVariants: readonly Variant[] = [
  variant('identities and bindings have uids without a path', (contract) => ({
    mintUid: (parent, at) =>
      at.kind === 'groups' ? contract.mintUid(parent, at) : randomBytes(18).toString('base64url'),
  })),
  variant('every kind but groups has numbers for uids, each its own', numbersForUids),
  variant('the last part of a uid names its kind, except for groups', (contract) => ({
    mintUid: (parent, at) =>
      at.kind === 'groups'
        ? contract.mintUid(parent, at)
        : `${parent.uid}/${at.kind.toLowerCase()}.${randomBytes(8).toString('hex')}`,
  })),
  variant('uids hold signs that a path encodes, except for those of groups', (contract) => ({
    mintUid: (parent, at) =>
      at.kind === 'groups' ? contract.mintUid(parent, at) : `${at.kind} <ü>, ${randomBytes(8).toString('hex')}!`,
  })),
  variant('a claim match of more than two hundred characters is a bad request', (contract) => ({
    claimMatchProblem(claimMatch, at) {
      const { issuer, subject } = (claimMatch ?? {}) as Record<string, unknown>
      if ([issuer, subject].some((text) => String(text).length > 200)) throw new Refusal('invalid', 'body', 'too long')
      return contract.claimMatchProblem(claimMatch, at)
    },
  })),
  variant('a subject has no blanks', (contract) => ({
    claimMatchProblem: (claimMatch, at) =>
      /\s/.test(String((claimMatch as { subject?: unknown } | null)?.subject))
        ? 'a subject has no blanks'
        : contract.claimMatchProblem(claimMatch, at),
  })),
  variant('identities can be created and deleted and no more, which is a fault of code 12', (contract) => ({
    objection: (_uid, { kind, operation }) =>
      kind === 'identities' && !['create', 'delete'].includes(operation)
        ? new Refusal('unimplemented', 'method', 'not implemented')
        : undefined,
    errorStatus: (refusal, at) => (refusal.problem === 'unimplemented' ? 500 : contract.errorStatus(refusal, at)),
  })),
  variant('an identity that is bound cannot be deleted', (contract) => ({
    blocksDelete: (item, living, at) =>
      item.kind === 'identities'
        ? at.world.store.bindingsOf(item.uid).length > 0
        : contract.blocksDelete(item, living, at),
  })),
  variant('an identity is of an https issuer', (contract) => ({
    claimMatchProblem: (claimMatch, at) =>
      String((claimMatch as { issuer?: unknown } | null)?.issuer).startsWith('http:')
        ? 'an issuer has an https address'
        : contract.claimMatchProblem(claimMatch, at),
  })),
  variant(
    'a claim match cannot be changed',
    on(
      'identities',
      during('update', {
        claimMatchProblem: () => 'an identity keeps its claim match',
      }),
    ),
  ),
  variant('claims are kept without the blanks around them', (contract) => ({
    stored(value, field, at) {
      const kept = contract.stored(value, field, at)
      if (field !== 'claimMatch' || typeof kept !== 'object' || kept === null) return kept
      return Object.fromEntries(Object.entries(kept).map(([claim, text]) => [claim, String(text).trim()]))
    },
  })),
  variant('the name of an identity is a DNS label', (contract) => ({
    nameProblem: (name, at) =>
      at.kind === 'identities' && !/^[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?$/.test(String(name))
        ? 'a name is a DNS label'
        : contract.nameProblem(name, at),
  })),
  variant('no identity is made for an issuer that cannot be reached', (contract) => ({
    claimMatchProblem: (claimMatch, at) =>
      isUnreachable(claimMatch) ? 'the issuer answers no discovery' : contract.claimMatchProblem(claimMatch, at),
  })),
  variant(
    'an identity for an issuer that cannot be reached is an internal error',
    (contract) => ({
      claimMatchProblem(claimMatch, at) {
        if (isUnreachable(claimMatch)) throw new Refusal('internal', 'discovery', 'there is no such host')
        return contract.claimMatchProblem(claimMatch, at)
      },
    }),
    ['service.faults'],
  ),
  variant('identities may not be updated', on('identities', during('update', { objection: forbidden }))),
  variant(
    'identities may be made and deleted, and nobody may look at them',
    when(({ kind, operation }) => kind === 'identities' && ['list', 'get', 'update'].includes(operation), {
      objection: forbidden,
    }),
  ),
  variant('no two identities of an organization have one name', (contract) => ({
    nameTaken: (wanted, at) =>
      wanted.kind === 'identities'
        ? [...at.world.store.all('identities')].some(({ uid, name }) => name === wanted.name && uid !== wanted.uid)
        : contract.nameTaken(wanted, at),
  })),
  variant('a new identity is a viewer in its group', (contract) => ({
    keep(item, at) {
      contract.keep(item, at)
      if (item.kind !== 'identities') return
      const { store } = at.world
      const role = [...store.under('roles', '')].find(({ name }) => name === 'viewer')
      const uid = contract.mintUid(item, at)
      const bound = { identityUid: item.uid, roleUid: role?.uid ?? '', name: '', description: '' }
      store.put({ ...item, ...bound, kind: 'roleBindings', uid })
    },
  })),
  variant('an update of an identity counts as seeing it', () => ({
    modify({ read, change, write }, at) {
      const next = change(read())
      const seen = next.kind === 'identities' ? { ...next, lastSeenTime: at.world.now() } : next
      write(seen)
      return seen
    },
  })),
  variant('lastSeenTime is rounded to five minutes', (contract) => ({
    identity: (item, time, at) => ({
      ...contract.identity(item, time, at),
      lastSeenTime: time(Math.floor((item.lastSeenTime ?? item.createTime) / 300_000) * 300_000),
    }),
  })),
  variant('lastSeenTime is known two seconds after an exchange', (contract) => {
    const known = new Map<string, number>()
    return {
      identity(item, time, at) {
        const seen = item.lastSeenTime ?? item.createTime
        const shown = at.world.now() - seen < 2_000 ? (known.get(item.uid) ?? item.createTime) : seen
        known.set(item.uid, shown)
        return { ...contract.identity(item, time, at), lastSeenTime: time(shown) }
      },
    }
  }),
]
