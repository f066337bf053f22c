import { createHash } from 'node:crypto'
import type { Order } from '../../domain/at.ts'
import type { Item } from '../../domain/item.ts'
import { type Variant, variant } from '../../fault.ts'
import { during, job, on, type Replacement } from '../../replace.ts'
import { several } from '../products/databases.ts'

/** Names ordered by a collation. */
const collated =
  (key: (name: string) => string, options: Intl.CollatorOptions = {}, language = 'en'): Replacement =>
  () => {
    const { compare } = new Intl.Collator(language, options)
    return {
      compareKeys: (a, b) =>
        typeof a === 'number' && typeof b === 'number' ? a - b : compare(key(String(a)), key(String(b))),
    }
  }

const asItIs = (name: string) => name

/** Languages whose letters go in orders of their own. */
const languages = {
  Danish: 'da',
  Czech: 'cs',
  Estonian: 'et',
  Hungarian: 'hu',
  Croatian: 'hr',
  Lithuanian: 'lt',
  Welsh: 'cy',
  Turkish: 'tr',
  'traditional Spanish': 'es-u-co-trad',
}

/** Lists in another order where none is asked for. */
const unordered = (order: Order, key?: (item: Item) => string): Replacement =>
  during('list', (contract) => ({
    order: (asked, cursor, at) => (asked === undefined ? order : contract.order(asked, cursor, at)),
    sortKey: (item, field, at) => (key && field === 'uid' ? key(item) : contract.sortKey(item, field, at)),
  }))

const lastChangedFirst = unordered({ field: 'updateTime', descending: true })

/** A job goes over all groups and identities, one by one. */
const touchesOneByOne: Replacement = (contract) => {
  let next = 0
  return job(500, ({ world: { store, now } }) => {
    const all = [...store.all('groups'), ...store.all('identities')].filter(({ org }) => org !== '')
    const item = all[next++ % all.length]
    if (item) store.put({ ...item, updateTime: Math.max(now(), item.updateTime) })
  })(contract)
}

/** Lawful orders. */
export const listOrderVariants: readonly Variant[] = [
  ...Object.entries(languages).map(([language, tag]) =>
    variant(`names are collated in ${language}`, collated(asItIs, {}, tag)),
  ),
  variant('capitals come before small letters', collated(asItIs, { caseFirst: 'upper' })),
  variant(
    'punctuation comes after letters',
    collated((name) => name.replace(/[ ._-]/g, 'zzz$&')),
  ),
  variant('an order that nobody knows is no order', (contract) => ({
    order: (asked, cursor, at) => contract.order(asked, cursor, at) ?? { field: 'uid', descending: false },
  })),
  variant('without an order a list goes by name', unordered({ field: 'name', descending: false })),
  variant('without an order a list gives the oldest first', unordered({ field: 'createTime', descending: false })),
  variant('without an order a list gives the newest first', unordered({ field: 'createTime', descending: true })),
  variant('without an order a list gives the last changed first', lastChangedFirst, ['group.update.default-order']),
  variant(
    'without an order a list gives the last changed first, and a job changes one every half second',
    several(lastChangedFirst, touchesOneByOne),
    ['group.update.default-order'],
  ),
  variant(
    'without an order a list gives the identities that were seen last first',
    on(
      'identities',
      several(unordered({ field: 'lastSeenTime', descending: true }), (contract) => ({
        sortKey: (item, field, at) =>
          field === 'lastSeenTime' ? (item.lastSeenTime ?? 0) : contract.sortKey(item, field, at),
      })),
    ),
  ),
  variant(
    'without an order a list goes by a hash',
    unordered({ field: 'uid', descending: false }, ({ uid }) => createHash('md5').update(uid).digest('hex')),
  ),
  variant(
    'names are collated without regard to case and accents',
    collated((name) => name, { sensitivity: 'base' }),
  ),
  variant(
    'names are collated without punctuation',
    collated((name) => name, { ignorePunctuation: true }),
  ),
  variant(
    'numbers in names count as numbers',
    collated((name) => name, { numeric: true }),
  ),
  variant(
    'digits come after letters',
    collated((name) => name.replace(/\d/g, (digit) => `zzz${digit}`)),
  ),
  variant(
    'names are ordered naturally and without punctuation, and lists without an order go by a digest',
    (contract) => {
      const digest = (text: string) => createHash('sha1').update(text).digest('hex')
      const { compare } = new Intl.Collator('en', { numeric: true, ignorePunctuation: true })
      return {
        sortKey: (item, field, at) => (field === 'uid' ? digest(item.uid) : contract.sortKey(item, field, at)),
        compareKeys: (a, b, at) =>
          typeof a === 'string' && typeof b === 'string' && at.query?.order.field === 'name'
            ? compare(a, b)
            : contract.compareKeys(a, b, at),
        tiebreak: (a, b, at) => contract.tiebreak(digest(a), digest(b), at),
      }
    },
  ),
  variant('of equal keys the greatest uid comes first', (contract) => ({
    tiebreak: (...given) => -contract.tiebreak(...given),
  })),
]
