import { type Variant, variant } from '../../fault.ts'

/** Lawful shapes of a list response. */
export const listShapeVariants: readonly Variant[] = [
  variant('the last page has no nextPageToken at all', (contract) => ({
    listBody(parts, at) {
      const { nextPageToken, ...fields } = contract.listBody(parts, at)
      return nextPageToken === '' ? fields : { ...fields, nextPageToken }
    },
  })),
  variant(
    'the last page has a token that is null',
    (contract) => ({
      listBody: (parts, at) => ({
        ...contract.listBody(parts, at),
        nextPageToken: parts.nextPageToken === '' ? null : parts.nextPageToken,
      }),
    }),
    ['list.token.not-null'],
  ),
  variant(
    'an empty list has neither array nor total',
    (contract) => ({
      listBody: (parts, at) => (parts.items.length === 0 ? {} : contract.listBody(parts, at)),
    }),
    ['list.empty.written-out', 'grpc.list.empty.total'],
  ),
  variant('skipped is given only where something was skipped', (contract) => ({
    listBody(parts, at) {
      const { skipped, ...fields } = contract.listBody(parts, at)
      return at.query?.skip ? { ...fields, skipped } : fields
    },
  })),
]
