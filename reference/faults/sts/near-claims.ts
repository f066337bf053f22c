import type { Item } from '../../domain/item.ts'
import { type Fault, fault } from '../../fault.ts'
import type { Replacement } from '../../replace.ts'
import { foundByModel } from '../run/histories.ts'

const escaped = (text: string) => text.replace(/[\\^$.*+?()[\]{}|]/g, '\\$&')

/** Subjects that also match by something weaker than equality. */
const subjects =
  (same: (claimed: string, matched: string) => boolean): Replacement =>
  (contract) => ({
    sameSubject: (claimed, matched, at) =>
      contract.sameSubject(claimed, matched, at) || (typeof claimed === 'string' && same(claimed, matched)),
  })

/** Issuers that are compared after something was done to both. */
const issuers =
  (tidy: (issuer: string) => string): Replacement =>
  (contract) => ({
    sameIssuer: (one, other, at) =>
      contract.sameIssuer(one, other, at) ||
      (typeof one === 'string' && typeof other === 'string' && tidy(one) === tidy(other)),
  })

const decoded = (text: string) => {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}

/** The path alone, and a slash at its end stays. */
const undotted = (text: string) => {
  const [, origin = '', path = ''] = /^(\w+:\/\/[^/]*)(.*)$/.exec(text) ?? [undefined, text, '']
  const out: string[] = []
  for (const part of path.split('/')) {
    if (part === '..') out.pop()
    else if (part !== '.') out.push(part)
  }
  return origin + out.join('/')
}

/** An address as mail is delivered to it. */
const untagged = (text: string) => text.replace(/\+[^@]*@/, '@')

const isUuid = (text: string) => /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i.test(text)

const lowerDomain = (text: string) => text.replace(/@.*$/, (domain) => domain.toLowerCase())

/** Identity tokens that never end where their end is such a one. */
const endless =
  (isOne: (end: number) => boolean): Replacement =>
  (contract) => ({
    timely: (claims, now, at) =>
      contract.timely(isOne(claims.exp ?? Number.NaN) ? { ...claims, exp: 4_102_444_800 } : claims, now, at),
  })

/** Identities that are also found by something other than their uid. */
const foundBy =
  (finds: (item: Item, asked: string) => boolean): Replacement =>
  (contract) => ({
    assumable: (uid, at) =>
      contract.assumable(uid, at) ??
      (uid === '' ? undefined : [...at.world.store.all('identities')].find((item) => finds(item, uid))),
  })

/** Faults in what is close to a claim match, a time or a uid (S2.11, R41). */
export const stsNearClaimFaults: readonly Fault[] = [
  fault('a number in place of a subject counts as its digits', foundByModel, (contract) => ({
    sameSubject: (claimed, matched, at) =>
      contract.sameSubject(typeof claimed === 'number' ? String(claimed) : claimed, matched, at),
  })),
  fault(
    'a star in the subject of a claim match matches anything',
    foundByModel,
    subjects((claimed, matched) => new RegExp(`^${matched.split('*').map(escaped).join('.*')}$`, 's').test(claimed)),
  ),
  fault(
    'a star at the end of the subject of a claim match matches any ending',
    foundByModel,
    subjects((claimed, matched) => matched.endsWith('*') && claimed.startsWith(matched.slice(0, -1))),
  ),
  fault(
    'commas in the subject of a claim match divide several subjects',
    foundByModel,
    subjects((claimed, matched) => matched.split(',').includes(claimed)),
  ),
  fault(
    'a bar in the subject of a claim match divides several subjects',
    foundByModel,
    subjects((claimed, matched) => claimed !== '' && matched.split('|').includes(claimed)),
  ),
  fault(
    'a question mark in the subject of a claim match matches any character',
    foundByModel,
    subjects((claimed, matched) => new RegExp(`^${matched.split('?').map(escaped).join('.')}$`, 'su').test(claimed)),
  ),
  fault(
    'the domain of an address in a subject is compared without regard to case',
    foundByModel,
    subjects((claimed, matched) => lowerDomain(claimed) === lowerDomain(matched)),
  ),
  fault(
    'what follows a plus sign in an address does not count in a subject',
    foundByModel,
    subjects((claimed, matched) => untagged(claimed) === untagged(matched)),
  ),
  fault(
    'a subject that is a UUID is compared without regard to case',
    foundByModel,
    subjects((claimed, matched) => isUuid(claimed) && claimed.toLowerCase() === matched.toLowerCase()),
  ),
  fault(
    'subjects are compared by their first 255 characters',
    foundByModel,
    subjects((claimed, matched) => claimed.slice(0, 255) === matched.slice(0, 255)),
  ),
  fault('escapes in an issuer are undone', foundByModel, issuers(decoded)),
  fault('dot segments of an issuer do not count', foundByModel, issuers(undotted)),
  fault(
    'an end of 0 is no end',
    foundByModel,
    endless((end) => end === 0),
  ),
  fault(
    'an identity token whose end is negative never ends',
    foundByModel,
    endless((end) => end < 0),
  ),
  fault('an identity token is taken for ten minutes after its end', foundByModel, (contract) => ({
    timely: ({ exp = 0, ...claims }, now, at) => contract.timely({ ...claims, exp: exp + 540 }, now, at),
  })),
  fault(
    'an identity is assumed by its name',
    foundByModel,
    foundBy(({ name }, asked) => name === asked),
  ),
  fault(
    'an identity is assumed by the last segment of its uid',
    ['sts.refuses.unknown-identity'],
    foundBy(({ uid }, asked) => uid.endsWith(`/${asked}`)),
  ),
]
