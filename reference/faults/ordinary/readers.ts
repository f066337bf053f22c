import type { At } from '../../domain/at.ts'
import type { Fields } from '../../domain/item.ts'
import { type Fault, fault } from '../../fault.ts'
import { during, on, type Replacement, withBody } from '../../replace.ts'
import { changed, foundByModel, storedAs } from '../run/histories.ts'

const strings = /"(?:[^"\\]|\\.)*"/gs

/** A body that cannot be read is read once more after a change to its text. */
const readAgain =
  (change: (text: string) => string): Replacement =>
  (contract) => ({
    body(bytes, at) {
      const fields = contract.body(bytes, at)
      if (fields || at.over === 'grpc') return fields
      return contract.body(Buffer.from(change(Buffer.from(bytes).toString())), at)
    },
  })

/** A text as some collations compare it: whatever lies beyond the first plane is the same. */
const plane = (text: string) => text.replace(/[\u{10000}-\u{10ffff}]/gu, '\ufffd')

/** The words of a name without their usual endings. */
const stem = (name: string) => name.replace(/(?<=[a-z]{3})(ings?|ed|es|s)(?![a-z])/g, '')

/** Lenient readers of JSON, and texts that are cut or compared loosely. */
export const ordinaryReaderFaults: readonly Fault[] = [
  // S1.6, R37
  fault(
    'a line break or a tab in a text of a body is taken as it is',
    foundByModel,
    readAgain((text) =>
      text.replace(strings, (one) =>
        one.replace(/[\u0000-\u001f]/g, (sign) => `\\u${sign.charCodeAt(0).toString(16).padStart(4, '0')}`),
      ),
    ),
  ),
  fault(
    'a backslash before a letter without a meaning is left out of a body',
    foundByModel,
    readAgain((text) => text.replace(/\\([^"\\/bfnrtu])/g, '$1')),
  ),
  fault(
    'two slashes begin a comment in a body',
    foundByModel,
    readAgain((text) => text.replace(/"(?:[^"\\]|\\.)*"|\/\/[^\n]*/g, (one) => (one.startsWith('"') ? one : ''))),
  ),
  // S2.6, R4
  fault('a name may come by way of a prototype', foundByModel, (contract) => ({
    body(bytes, at) {
      const fields = contract.body(bytes, at)
      const members = Object.entries(fields ?? {})
      const [, own] = members.find(([name]) => name in Object.prototype) ?? []
      if (!fields || typeof own !== 'object' || own === null) return fields
      return { ...(own as Fields), ...Object.fromEntries(members.filter(([, value]) => value !== own)) }
    },
  })),
  fault('the long s is a lower-case letter of a name', foundByModel, (contract) => ({
    nameProblem(name, at) {
      const problem = contract.nameProblem(name, at)
      const fits = typeof name === 'string' && name === name.toLowerCase() && /^[a-z0-9 ._-]+$/iu.test(name)
      return problem !== undefined && at.kind === 'groups' && fits ? undefined : problem
    },
  })),
  // S4.26
  fault(
    'an update without any bytes empties the description',
    foundByModel,
    during('update', (contract) => ({
      body: (bytes, at) =>
        bytes.length === 0 && at.over === undefined && at.version !== 'v1'
          ? { description: '' }
          : contract.body(bytes, at),
    })),
  ),
  // R6, R3
  fault(
    'an identity keeps sixty-four characters of its name',
    foundByModel,
    on(
      'identities',
      storedAs('name', (text) => [...text].slice(0, 64).join('')),
    ),
  ),
  fault(
    'an identity keeps two thousand characters of its description',
    foundByModel,
    on(
      'identities',
      storedAs('description', (text) => [...text].slice(0, 2000).join('')),
    ),
  ),
  // S4.10
  fault(
    'a group whose name has more than two hundred characters is not found by it',
    foundByModel,
    on('groups', (contract) => ({
      matchesName: (item, name, at) => item.name.length <= 200 && contract.matchesName(item, name, at),
    })),
  ),
  // R29
  fault(
    'an update of an identity that is refused for a claim match without a subject keeps the name',
    foundByModel,
    on(
      'identities',
      withBody((sent, contract) => ({
        leftByRefusedUpdate(before, wanted, at) {
          const { claimMatch } = sent(at)
          const isPart = typeof claimMatch === 'object' && claimMatch !== null && !Array.isArray(claimMatch)
          if (!isPart || typeof wanted.name !== 'string' || wanted.name === '')
            return contract.leftByRefusedUpdate(before, wanted, at)
          return { ...before, name: wanted.name }
        },
      })),
    ),
  ),
  // S2.5, R5
  fault(
    'a client chooses the last segment of the uid of its group',
    foundByModel,
    on(
      'groups',
      withBody((sent, contract) => ({
        mintUid(parent, at) {
          const { uid } = sent(at)
          const isFree = (one: string) => at.world.store.get('groups', one) === undefined
          return typeof uid === 'string' && /^[0-9a-f]+$/.test(uid) && isFree(`${parent.uid}/${uid}`)
            ? `${parent.uid}/${uid}`
            : contract.mintUid(parent, at)
        },
      })),
    ),
  ),
  // S4.10
  fault(
    'a filter by name finds other forms of its words',
    foundByModel,
    on('groups', (contract) => ({
      matchesName: (item, name, at) => contract.matchesName(item, name, at) || stem(item.name) === stem(name),
    })),
  ),
  // S4.26
  fault('a description that changes in an emoji only stays as it was', foundByModel, (contract) =>
    changed(contract, (old, next) =>
      old.description !== next.description && plane(old.description) === plane(next.description)
        ? { ...next, description: old.description }
        : next,
    ),
  ),
  // S2.6, R4
  fault('of two names in one body the first is checked and the second is kept', foundByModel, (contract) => {
    const first = new WeakMap<At, unknown>()
    return {
      body(bytes, at) {
        const all = [
          ...Buffer.from(bytes)
            .toString()
            .matchAll(/"name"\s*:\s*("(?:[^"\\]|\\.)*")/g),
        ]
        if (all.length > 1) first.set(at, JSON.parse(all[0]![1]!))
        return contract.body(bytes, at)
      },
      nameProblem: (name, at) => contract.nameProblem(first.get(at) ?? name, at),
    }
  }),
]
