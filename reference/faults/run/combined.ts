import type { At } from '../../domain/at.ts'
import type { Item } from '../../domain/item.ts'
import { type Fault, fault } from '../../fault.ts'
import { on } from '../../replace.ts'
import { depthBelow } from '../scopes.ts'
import { Counts, foundByModel, onGroups } from './histories.ts'

const onIdentities = (change: Parameters<typeof on>[1]) => on('identities', change)

/** Faults that show where two things come together: members of one body, sizes, forms of a text, calls made twice. */
export const runCombinedFaults: readonly Fault[] = [
  fault(
    'a claim match that changes together with the name is not noticed',
    ['sts.match.updated.together'],
    (contract) => {
      const known = new Map<string, Item>()
      return {
        assumable(uid, at) {
          const identity = contract.assumable(uid, at)
          const before = known.get(uid)
          if (identity === undefined) return undefined
          const { claimMatch } = before ?? identity
          if (before && before.name !== identity.name && claimMatch) return { ...identity, claimMatch }
          known.set(uid, identity)
          return identity
        },
      }
    },
  ),
  fault('subjects are compared in one form of Unicode', foundByModel, (contract) => ({
    sameSubject: (claimed, matched, at) =>
      contract.sameSubject(
        typeof claimed === 'string' ? claimed.normalize('NFC') : claimed,
        matched.normalize('NFC'),
        at,
      ),
  })),
  fault('an identity token whose end is no whole second never expires', foundByModel, (contract) => ({
    timely: (claims, now, at) =>
      (typeof claims.exp === 'number' && !Number.isInteger(claims.exp)) || contract.timely(claims, now, at),
  })),
  fault(
    'a filter takes digits for a number',
    foundByModel,
    onGroups((contract) => ({
      matchesName: (item, name, at) =>
        contract.matchesName(item, name, at) || (/^\d+$/.test(name) && Number(item.name) === Number(name)),
    })),
  ),
  fault('what lies nine levels below a group is not in its list', foundByModel, (contract) => ({
    withinScope: (item, at) =>
      contract.withinScope(item, at) &&
      !(at.query?.descendantsOf !== undefined && depthBelow(item, at.query.descendantsOf) > 8),
  })),
  fault(
    'a walk ends after a hundred pages',
    foundByModel,
    onGroups((contract) => {
      const pages = new Counts()
      return {
        more: (left, shown, size, at) => {
          const walk = `${at.query?.childrenOf} ${at.query?.descendantsOf} ${JSON.stringify(at.query?.order)} ${size}`
          return contract.more(left, shown, size, at) && (size > 2 || pages.add(walk) % 101 < 100)
        },
      }
    }),
  ),
  fault(
    'an update with the name that a group has forgets the description beside it',
    foundByModel,
    onGroups((contract) => {
      const both = new WeakSet<At>()
      return {
        changed(sent, mask, settable, at) {
          if (sent.includes('name') && sent.includes('description')) both.add(at)
          return contract.changed(sent, mask, settable, at)
        },
        modify({ read, change, write }, at) {
          const unlessNamed = (old: Item) => {
            const next = change(old)
            return both.has(at) && next.name === old.name ? old : next
          }
          return contract.modify({ read, change: unlessNamed, write }, at)
        },
      }
    }),
  ),
  fault(
    'an update of an identity that is refused for its name keeps the claims',
    foundByModel,
    onIdentities(() => ({
      leftByRefusedUpdate: (before, wanted) =>
        wanted.claimMatch === undefined ? before : { ...before, claimMatch: wanted.claimMatch },
    })),
  ),
]
