import type { Item } from '../../domain/item.ts'
import { type Fault, fault } from '../../fault.ts'
import { on } from '../../replace.ts'
import type { Rules } from '../../rules.types.ts'

/** Updates with another outcome than the one asked for. */
const changed = (contract: Rules, twist: (old: Item, next: Item) => Item): Partial<Rules> => ({
  modify: (steps, at) => contract.modify({ ...steps, change: (old) => twist(old, steps.change(old)) }, at),
})

const plain = (text: unknown) => String(text).toLowerCase()

const folded = (text: string) => text.normalize('NFKD').replace(/\p{M}/gu, '').toLowerCase()

const slug = (text: unknown) => String(text).replace(/[^a-z0-9]+/g, '-')

/** Faults in texts that are stored as they were, or changed only slightly (S4.26, R6). */
export const unusualTextFaults: readonly Fault[] = [
  fault('typographic quotes and dashes become plain ones', ['model.*'], (contract) => ({
    stored(value, field, at) {
      const kept = contract.stored(value, field, at)
      if (field !== 'description' || typeof kept !== 'string') return kept
      return kept
        .replace(/[\u2018\u2019]/g, "'")
        .replace(/[\u201c\u201d]/g, '"')
        .replace(/[\u2013\u2014]/g, '-')
        .replace(/\u2026/g, '...')
    },
  })),
  fault('subjects that differ in capitals only are kept as one', ['model.*'], (contract) => {
    const texts = new Map<string, string>()
    return {
      stored(value, field, at) {
        const kept = contract.stored(value, field, at)
        if (field !== 'claimMatch') return kept
        const { issuer, subject } = kept as { issuer: unknown; subject: unknown }
        if (typeof subject !== 'string') return kept
        const key = subject.toLowerCase()
        if (!texts.has(key)) texts.set(key, subject)
        return { issuer, subject: texts.get(key) }
      },
    }
  }),
  fault('a backslash at the end of a description is lost', ['model.*'], (contract) => ({
    stored(value, field, at) {
      const kept = contract.stored(value, field, at)
      return field === 'description' && typeof kept === 'string' ? kept.replace(/\\$/, '') : kept
    },
  })),
  fault(
    'an update that changes the issuer alone changes nothing',
    ['model.*'],
    on('identities', (contract) => ({
      modify(steps, at) {
        return contract.modify(
          {
            ...steps,
            change(old) {
              const next = steps.change(old)
              const same = next.claimMatch && old.claimMatch && next.claimMatch.subject === old.claimMatch.subject
              return same ? { ...next, claimMatch: old.claimMatch } : next
            },
          } as typeof steps,
          at,
        )
      },
    })),
  ),
  fault('Get in v1 describes in Latin letters', ['model.*'], (contract) => ({
    v1Group(item, time, at) {
      const shown = contract.v1Group(item, time, at)
      return at.operation === 'get'
        ? { ...shown, description: item.description.replace(/[^\u0000-\u00ff]/g, '?') }
        : shown
    },
  })),
  fault('a binding shows its issuer without the slash at the end', ['model.*'], (contract) => ({
    roleBinding(item, parts, time, at) {
      const shown = contract.roleBinding(item, parts, time, at)
      const { identity } = shown as { identity?: { issuer?: string } }
      return identity ? { ...shown, identity: { ...identity, issuer: identity.issuer?.replace(/\/$/, '') } } : shown
    },
  })),
  fault('an update keeps 1024 letters of a description', ['model.*'], (contract) => ({
    stored(value, field, at) {
      const kept = contract.stored(value, field, at)
      return at.operation === 'update' && field === 'description' && typeof kept === 'string'
        ? kept.slice(0, 1024)
        : kept
    },
  })),
  fault('a binding describes its group in 255 letters', ['model.*'], (contract) => ({
    roleBinding: (item, parts, time, at) =>
      contract.roleBinding(
        item,
        { ...parts, group: parts.group && { ...parts.group, description: parts.group.description.slice(0, 255) } },
        time,
        at,
      ),
  })),
  fault(
    'a rename of an identity that changes capitals only changes nothing',
    ['model.*'],
    on('identities', (contract) =>
      changed(contract, (old, next) => (plain(old.name) === plain(next.name) ? { ...next, name: old.name } : next)),
    ),
  ),
  fault('a description that changes in capitals only stays', ['model.*'], (contract) =>
    changed(contract, (old, next) =>
      plain(old.description) === plain(next.description) ? { ...next, description: old.description } : next,
    ),
  ),
  fault(
    'a subject that changes in capitals only stays',
    ['model.*'],
    on('identities', (contract) =>
      changed(contract, (old, next) =>
        plain(old.claimMatch?.subject) === plain(next.claimMatch?.subject) &&
        old.claimMatch!.issuer === next.claimMatch!.issuer
          ? { ...next, claimMatch: old.claimMatch! }
          : next,
      ),
    ),
  ),
  fault(
    'a rename that changes punctuation only changes nothing',
    ['model.*'],
    on('groups', (contract) =>
      changed(contract, (old, next) => (slug(old.name) === slug(next.name) ? { ...next, name: old.name } : next)),
    ),
  ),
  fault('marks of the direction of writing are left out of descriptions', ['model.*'], (contract) => ({
    stored(value, field, at) {
      const kept = contract.stored(value, field, at)
      if (field !== 'description' || typeof kept !== 'string') return kept
      return kept.replace(/[\u200e\u200f\u202a-\u202e\u2066-\u2069]/g, '')
    },
  })),
  fault('the description of a bound identity ends after 128 characters', ['model.*'], (contract) => ({
    hydrated(part, kind, binding, at) {
      const shown = contract.hydrated(part, kind, binding, at)
      return shown && kind === 'identities' ? { ...shown, description: shown.description.slice(0, 128) } : shown
    },
  })),
  fault(
    'the name filter of identities ignores accents',
    ['model.*'],
    on('identities', {
      matchesName: ({ name: own }, name) => own === name || (/[^ -~]/.test(own + name) && folded(own) === folded(name)),
    }),
  ),
  fault(
    'the role of a new binding may be named in capitals or between blanks',
    ['model.*'],
    on('roleBindings', (contract) => ({
      found: (uid, kind, at) =>
        contract.found(uid, kind, at) ??
        (kind === 'roles' ? contract.found(uid.trim().toLowerCase(), kind, at) : undefined),
      stored: (value, field, at) =>
        field === 'roleUid' && typeof value === 'string'
          ? value.trim().toLowerCase()
          : contract.stored(value, field, at),
    })),
  ),
]
