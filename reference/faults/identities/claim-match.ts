import type { Item } from '../../domain/item.ts'
import { type Fault, fault } from '../../fault.ts'
import { on } from '../../replace.ts'
import { foundByModel } from '../run/histories.ts'

/** Faults in claim matches (S2.11). */
export const identityClaimMatchFaults: readonly Fault[] = [
  fault(
    'identities lose the capitals of their claims',
    ['identity.claim-match.kept'],
    on('identities', (contract) => ({
      stored: (value, field, at) =>
        field === 'claimMatch' ? JSON.parse(JSON.stringify(contract.stored(value, field, at)).toLowerCase()) : value,
    })),
  ),
  fault(
    'the next update of an identity brings its first claim match back',
    ['identity.claim-match.stays'],
    on('identities', (contract) => {
      const first = new Map<string, Item['claimMatch']>()
      return {
        modify({ read, change, write }, at) {
          const before = read()
          if (!first.has(before.uid)) first.set(before.uid, before.claimMatch)
          const old = first.get(before.uid)
          const next = (item: Item) => {
            const changed = change(item)
            return changed.claimMatch === item.claimMatch && old ? { ...changed, claimMatch: old } : changed
          }
          return contract.modify({ read, change: next, write }, at)
        },
      }
    }),
  ),
  fault(
    'an update of a claim match is accepted and ignored',
    ['identity.claim-match.updated'],
    on('identities', (contract) => ({
      settable: (at) => contract.settable(at).filter((field) => at.operation !== 'update' || field !== 'claimMatch'),
    })),
  ),
  fault(
    'a claim match is kept in 255 characters',
    foundByModel,
    on('identities', (contract) => ({
      stored(value, field, at) {
        const kept = contract.stored(value, field, at)
        if (field !== 'claimMatch') return kept
        const { issuer, subject } = kept as Record<string, unknown>
        return { issuer: String(issuer).slice(0, 255), subject: String(subject).slice(0, 255) }
      },
    })),
  ),
  fault(
    'a subject that is a number is accepted, and shown as a number',
    { turnsRed: ['model.identity.content'], spreadsTo: ['model.inputs.values'] },
    on('identities', (contract) => ({
      claimMatchProblem(claimMatch, at) {
        const { issuer, subject } = (claimMatch ?? {}) as Record<string, unknown>
        return issuer && typeof subject === 'number' ? undefined : contract.claimMatchProblem(claimMatch, at)
      },
    })),
  ),
]
