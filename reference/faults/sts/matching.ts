import type { Item } from '../../domain/item.ts'
import { type Fault, fault } from '../../fault.ts'
import type { Replacement } from '../../replace.ts'
import { foundByModel } from '../run/histories.ts'

/** Compares two subjects or two issuers by something weaker than equality. */
const alike = (one: unknown, other: unknown, same: (one: string, other: string) => boolean) =>
  typeof one === 'string' && typeof other === 'string' && same(one, other)

const subjects =
  (same: (claimed: string, matched: string) => boolean): Replacement =>
  () => ({ sameSubject: (claimed, matched) => alike(claimed, matched, same) })

const issuers =
  (same: (one: string, other: string) => boolean): Replacement =>
  () => ({ sameIssuer: (one, other) => alike(one, other, same) })

/** Faults in which identity a token may assume (S2.11, S5.3). */
export const stsMatchingFaults: readonly Fault[] = [
  fault('a claim match is read but once', ['sts.match.updated'], (contract) => {
    const known = new Map<string, Item>()
    return {
      assumable(uid, at) {
        const identity = contract.assumable(uid, at)
        if (identity && !known.has(uid)) known.set(uid, identity)
        return identity && known.get(uid)
      },
    }
  }),
  fault('a deleted identity is still assumed', ['sts.refuses.deleted-identity'], (contract) => {
    const known = new Map<string, Item>()
    return {
      assumable(uid, at) {
        const identity = contract.assumable(uid, at)
        if (identity) known.set(uid, identity)
        return identity ?? known.get(uid)
      },
    }
  }),
  fault(
    'capitals of an issuer do not count',
    ['sts.refuses.issuer-case'],
    issuers((one, other) => one.toLowerCase() === other.toLowerCase()),
  ),
  fault(
    'an issuer is compared by its beginning',
    ['sts.refuses.issuer-longer'],
    issuers((one, other) => one.startsWith(other)),
  ),
  fault(
    'the issuer is not compared',
    { turnsRed: ['sts.refuses.issuer-other'], spreadsTo: ['sts.refuses.issuer-*'] },
    () => ({
      sameIssuer: () => true,
    }),
  ),
  fault(
    'issuers of one host are one',
    { turnsRed: ['sts.refuses.issuer-other'], spreadsTo: ['sts.refuses.issuer-*'] },
    issuers((one, other) => new URL(one).host === new URL(other).host),
  ),
  fault(
    'an issuer is taken for a pattern',
    ['sts.refuses.issuer-pattern'],
    issuers((one, other) => new RegExp(`^${other}$`).test(one)),
  ),
  fault(
    'the beginning of an issuer will do',
    ['sts.refuses.issuer-shorter'],
    issuers((one, other) => other.startsWith(one) && !other.endsWith('/')),
  ),
  fault(
    'a slash at the end of an issuer does not count',
    ['sts.refuses.issuer-slash'],
    issuers((one, other) => one.replace(/\/$/, '') === other.replace(/\/$/, '')),
  ),
  fault(
    'any trusted token assumes any identity',
    {
      turnsRed: ['sts.refuses.other-identity'],
      spreadsTo: ['sts.refuses.subject-*', 'sts.refuses.other-identity'],
    },
    () => ({
      sameSubject: () => true,
    }),
  ),
  fault(
    'capitals of a subject do not count',
    ['sts.refuses.subject-case'],
    subjects((claimed, matched) => claimed.toLowerCase() === matched.toLowerCase()),
  ),
  fault(
    'a subject is compared by its beginning',
    ['sts.refuses.subject-longer'],
    subjects((claimed, matched) => claimed.startsWith(matched)),
  ),
  fault(
    'a subject is compared by its end',
    ['sts.refuses.subject-longer'],
    subjects((claimed, matched) => claimed.endsWith(matched)),
  ),
  fault(
    'spaces around a subject do not count',
    ['sts.refuses.subject-longer'],
    subjects((claimed, matched) => claimed.trim() === matched),
  ),
  fault('a token without a subject fits every identity', ['sts.refuses.subject-other'], (contract) => ({
    sameSubject: (claimed, matched, at) => claimed === undefined || contract.sameSubject(claimed, matched, at),
  })),
  fault(
    'a subject is taken for a pattern',
    ['sts.refuses.subject-pattern'],
    subjects((claimed, matched) => new RegExp(`^${matched}$`).test(claimed)),
  ),
  fault(
    'a part of a subject will do',
    ['sts.refuses.subject-shorter'],
    subjects((claimed, matched) => matched.includes(claimed)),
  ),
  fault(
    'an underscore in the subject of a claim match matches any letter',
    foundByModel,
    subjects((claimed, matched) =>
      new RegExp(`^${matched.replace(/[\\^$.*+?()[\]{}|]/g, '\\$&').replaceAll('_', '.')}$`).test(claimed),
    ),
  ),
  fault(
    'subjects are compared by their first 128 characters',
    foundByModel,
    subjects((claimed, matched) => claimed.slice(0, 128) === matched.slice(0, 128)),
  ),
  fault(
    'subjects of digits are compared as numbers',
    foundByModel,
    subjects((claimed, matched) => claimed === matched || (matched !== '' && Number(claimed) === Number(matched))),
  ),
  fault('an identity is found by the beginning of its uid', ['sts.refuses.unknown-identity'], (contract) => ({
    assumable(uid, at) {
      const begins = (item: Item) => item.uid.startsWith(uid) || uid.startsWith(item.uid)
      return contract.assumable(uid, at) ?? [...at.world.store.all('identities')].find(begins)
    },
  })),
]
