import { randomBytes } from 'node:crypto'
import { Refusal } from '../domain/refusal.ts'
import { type Variant, variant } from '../fault.ts'

/** Lawful identities. */
export const identitiesVariants: readonly Variant[] = [
  variant('identities and bindings have uids without a path', (contract) => ({
    mintUid: (parent, at) =>
      at.kind === 'groups' ? contract.mintUid(parent, at) : randomBytes(18).toString('base64url'),
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
  variant('a claim match stays as it is', (contract) => ({
    settable: (at) => contract.settable(at).filter((field) => at.operation !== 'update' || field !== 'claimMatch'),
  })),
]
