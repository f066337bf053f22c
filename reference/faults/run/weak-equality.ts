import type { Item } from '../../domain/item.ts'
import { type Fault, fault } from '../../fault.ts'
import { inV1, on, overGrpc, type Replacement, underMask } from '../../replace.ts'
import { collapsed } from '../name-patterns.ts'
import { changed, foundByModel, storedAs } from './histories.ts'

type Member = 'name' | 'description' | 'claimMatch'

/** What is compared of a member; a subject only beside the same issuer. */
const textsOf = (member: Member, old: Item, next: Item): readonly (string | undefined)[] =>
  member !== 'claimMatch'
    ? [old[member], next[member]]
    : old.claimMatch?.issuer === next.claimMatch?.issuer
      ? [old.claimMatch?.subject, next.claimMatch?.subject]
      : []

/** Members stay as they were where some comparison takes the new text for the old one. */
const keeping =
  (members: readonly Member[], alike: (old: string, next: string) => boolean): Replacement =>
  (contract) =>
    changed(contract, (old, next) => {
      const stays = (member: Member) => {
        const [had, has] = textsOf(member, old, next)
        return typeof had === 'string' && typeof has === 'string' && alike(had, has)
      }
      return { ...next, ...Object.fromEntries(members.filter(stays).map((member) => [member, old[member]])) }
    })

const withoutAccents = (text: string) => text.normalize('NFD').replace(/\p{M}/gu, '')

const isNumber = (text: string) => /^\s*[+-]?(\d+(\.\d*)?|\.\d+)(e[+-]?\d+)?\s*$/i.test(text)

const sameNumber = (old: string, next: string) => isNumber(old) && isNumber(next) && Number(old) === Number(next)

/** Descriptions are stored up to some length. */
const upTo = (most: number) => storedAs('description', (text) => text.slice(0, most))

/** Faults in updates whose text is taken for the old one, and in lengths that only one way of writing has. */
export const weakEqualityFaults: readonly Fault[] = [
  fault(
    'a description that changes only in the number of its blanks stays as it was',
    foundByModel,
    keeping(['description'], (old, next) => collapsed(old) === collapsed(next)),
  ),
  fault(
    'a description that changes only in its accents stays as it was',
    foundByModel,
    keeping(['description'], (old, next) => withoutAccents(old) === withoutAccents(next)),
  ),
  fault(
    'a text that changes from a number to another writing of that number stays as it was',
    foundByModel,
    keeping(['name', 'description'], sameNumber),
  ),
  fault(
    'a claim match whose subject changes from a number to another writing of that number stays as it was',
    foundByModel,
    on('identities', keeping(['claimMatch'], sameNumber)),
  ),
  fault('an update under a mask keeps 255 letters of a description', foundByModel, underMask(upTo(255))),
  fault(
    'an update over gRPC under a mask keeps 128 letters of a description',
    foundByModel,
    overGrpc(underMask(upTo(128))),
  ),
  fault('v1 keeps 255 letters of a description', foundByModel, inV1(upTo(255))),
]
