import { type Variant, variant } from '../../fault.ts'

/** Lawful ways to read a page size above 200, and what is no count (R19, R20). */
export const listPageSizeVariants: readonly Variant[] = [
  variant('a page_size above two hundred is refused, and so is none', (contract) => ({
    count: (raw, parameter, at) => {
      const count = contract.count(raw, parameter, at)
      return parameter === 'page_size' && (count === 0 || (count ?? 0) > 200) ? undefined : count
    },
  })),
  variant('a page_size above two hundred is as good as none', () => ({
    pageSize: (asked) => (asked === 0 || asked > 200 ? 50 : asked),
  })),
  variant('a count that cannot be read is as good as none', (contract) => ({
    count: (...given) => contract.count(...given) ?? 0,
  })),
]
