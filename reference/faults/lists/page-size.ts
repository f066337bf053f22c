import { basicFault, type Fault, fault } from '../../fault.ts'
import { fromPage, on, type Replacement } from '../../replace.ts'
import { foundByModel } from '../run/histories.ts'

/** Pages that hold so many where no size is asked. */
const unasked =
  (size: number): Replacement =>
  (contract) => ({
    pageSize: (asked, cursor, at) => (asked === 0 ? size : contract.pageSize(asked, cursor, at)),
  })

/** Faults in page sizes (S4.11, S8.1, S8.2). */
export const listPageSizeFaults: readonly Fault[] = [
  fault('a page may hold a thousand', ['list.page-size.above'], () => ({
    pageSize: (asked) => (asked === 0 ? 50 : Math.min(asked, 1000)),
  })),
  basicFault(
    'page_size is ignored',
    {
      turnsRed: ['list.page-size.asked', 'list.page-size.exact', 'list.page-size.exact@*', 'list.order.name@roles'],
      spreadsTo: ['list.page-size.*', 'list.order.*@roles'],
    },
    () => ({ pageSize: () => 50 }),
  ),
  fault(
    'pages come in sizes of fifty, a hundred and two hundred',
    ['list.page-size.between'],
    on('groups', {
      pageSize: (asked) => (asked === 0 ? 50 : (asked > 50 && [200, 100, 50].find((size) => size <= asked)) || asked),
    }),
  ),
  fault('identities come twenty to a page', ['list.page-size.default@identities'], on('identities', unasked(20))),
  fault('bindings come a hundred to a page', ['list.page-size.default@roleBindings'], on('roleBindings', unasked(100))),
  fault(
    'account associations come twenty to a page where no size is asked',
    foundByModel,
    on('accountAssociations', unasked(20)),
  ),
  fault(
    'a page of repos holds a hundred where no size is asked',
    ['list.page-size.default@repos'],
    on('repos', unasked(100)),
  ),
  fault('a page of tags holds twenty where no size is asked', ['list.page-size.default@tags'], on('tags', unasked(20))),
  fault('a page holds a hundred without being asked', ['list.page-size.default*'], () => ({
    pageSize: (asked) => (asked === 0 ? 100 : Math.min(asked, 200)),
  })),
  fault(
    'in an order a page holds a hundred where no size is asked',
    ['list.page-size.default.ordered'],
    on('groups', (contract) => ({
      page: (rest, skip, size, at) =>
        contract.page(rest, skip, size === 50 && at.query?.order.field === 'name' ? 100 : size, at),
    })),
  ),
  fault(
    'from page two on a page of identities holds one more',
    ['list.page-size.exact@identities'],
    on('identities', fromPage(2, { page: (rest, skip, size) => rest.slice(skip, skip + size + 1) })),
  ),
  fault(
    'the third page of roles forgets its size',
    ['list.page-size.exact@roles'],
    on('roles', fromPage(3, { pageSize: () => 50 })),
  ),
  fault(
    'a page of groups holds forty at the most',
    { turnsRed: ['list.page-size.large-suffices'], spreadsTo: ['list.page-size.*', 'list.*'] },
    on('groups', {
      pageSize: (asked) => (asked === 0 ? 40 : Math.min(asked, 40)),
    }),
  ),
  fault(
    'a page_size of identities above 127 counts as none',
    ['list.page-size.default@identities'],
    on('identities', (contract) => ({
      pageSize: (asked, cursor, at) => contract.pageSize(asked > 127 ? 0 : asked, cursor, at),
    })),
  ),
  fault(
    'a page of repos holds as many as are asked for',
    ['list.page-size.maximum@repos'],
    on('repos', { pageSize: (asked) => (asked === 0 ? 50 : asked) }),
  ),
  fault('a page holds a hundred at the most', ['list.page-size.maximum'], () => ({
    pageSize: (asked) => (asked === 0 ? 50 : Math.min(asked, 100)),
  })),
  fault('a walk ends at two hundred items', ['list.page-size.maximum'], (contract) => ({
    cursor: (last, key, order, skipped, now, at) => {
      const before = Number(at.query?.cursor?.seen ?? 0)
      return { ...contract.cursor(last, key, order, skipped, now, at), seen: before + (at.query?.size ?? 0) }
    },
    more: (left, shown, _size, at) => left > 0 && Number(at.query?.cursor?.seen ?? 0) + shown < 200,
  })),
  fault(
    'a page of identities may hold a thousand',
    foundByModel,
    on('identities', { pageSize: (asked) => (asked === 0 ? 50 : Math.min(asked, 1_000)) }),
  ),
  fault(
    'a page_size of role bindings between a hundred and two hundred is taken for a hundred',
    foundByModel,
    on('roleBindings', (contract) => ({
      pageSize: (asked, cursor, at) => (asked > 100 && asked < 200 ? 100 : contract.pageSize(asked, cursor, at)),
    })),
  ),
]
