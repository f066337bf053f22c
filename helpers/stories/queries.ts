import type { Api } from '../api/api.ts'
import { type Page, uids } from '../api/received.ts'
import { childrenOf, descendantsOf } from '../arrange/scratch.ts'
import { inOrder, keysOf } from '../assertions/order.ts'
import { walk } from '../assertions/page-walk.ts'
import { refused } from '../assertions/refused.ts'
import { violated } from '../assertions/violation.ts'
import type { Query } from '../http/url.ts'
import type { ModelMapping } from './model-mapping.ts'
import {
  type Command,
  called,
  childrenIn,
  descendantsIn,
  type Grown,
  nameOf,
  runGroup,
  skipInWords,
  type Tree,
  walkInWords,
} from './tree.ts'

/** One reading of the target that has to fit the tree. */
export interface Reading {
  kind: 'get' | 'lost' | 'find' | 'former' | 'children' | 'descendants' | 'walk' | 'skip'
  /** In plain words, as a step of the story. */
  words: string
  read(): Promise<void>
}

type Of<Does extends Command['does']> = Command & { does: Does }

/** The readings of a telling: each says what it asks for, and fails where the answer is not as the model has it. */
export function readingsOf(api: Api, cast: ModelMapping) {
  const listed = async (query: Query) => api.groups.list({ page_size: 200, ...query })
  /** Whether the group itself is below itself is open (R15). */
  const others = (page: Page, label: string): Page => {
    const items = page.items.filter(({ uid }) => uid !== cast.uid(label))
    const less = page.items.length - items.length
    return less === 0 ? page : { ...page, items, totalCount: String(Number(page.totalCount) - less) }
  }
  const named = (word: string, bearer: Grown[]): Reading => ({
    kind: bearer.length > 0 ? 'find' : 'former',
    words: `list name=${word} below the scratch group`,
    read: async () => {
      const page = await listed({ ...descendantsOf(cast.uid(runGroup)), name: cast.name(word) })
      cast.holds(page, bearer, bearer.length > 0 ? 'the filter by name' : 'the filter by a former name')
    },
  })

  return {
    get: (grown: Grown): Reading => ({
      kind: 'get',
      words: `get ${grown.label}`,
      read: async () => cast.fits(await api.groups.get(cast.uid(grown.label)), grown, 'Get'),
    }),
    lost: ({ label }: Grown): Reading => ({
      kind: 'lost',
      words: `get ${label}, which was deleted`,
      read: async () => refused(await api.attempt.groups.get(cast.uid(label)), 'Get of a deleted group'),
    }),
    find: (grown: Grown) => named(nameOf(grown), [grown]),
    /** The names that a group no longer bears, the last ones first. */
    formers: (grown: Grown, there: boolean, most = Number.POSITIVE_INFINITY): Reading[] =>
      Array.from({ length: grown.names - (there ? 1 : 0) }, (_, index) => nameOf(grown, index + 1))
        .reverse()
        .slice(0, most)
        .map((word) => named(word, [])),
    children: (label: string, tree: Tree): Reading => ({
      kind: 'children',
      words: `list the children of ${called(label)}`,
      read: async () => {
        const page = await listed(childrenOf(cast.uid(label)))
        cast.holds(page, childrenIn(tree, label), 'the list of children')
      },
    }),
    descendants: (label: string, tree: Tree): Reading => ({
      kind: 'descendants',
      words: `list what is below ${called(label)}`,
      read: async () => {
        const page = await listed(descendantsOf(cast.uid(label)))
        cast.holds(others(page, label), descendantsIn(tree, label), 'the list of what is below')
      },
    }),
    walk: (asked: Omit<Of<'walk'>, 'does'>, tree: Tree): Reading => ({
      kind: 'walk',
      words: walkInWords(asked),
      read: async () => {
        const { group, order, size } = asked
        const groups = descendantsIn(tree, group)
        const query = { ...descendantsOf(cast.uid(group)), order_by: order, page_size: size }
        const { items, pages } = await walk(api.groups.list, query, groups.length + 1)
        for (const { totalCount } of pages)
          cast.holds(others({ ...pages[0]!, items, totalCount }, group), groups, 'the walk')
        inOrder(items, order)
      },
    }),
    skipping: (asked: Of<'skip'>, tree: Tree): Reading => ({
      kind: 'skip',
      words: skipInWords(asked),
      read: async () => {
        const { group, order, size, skip } = asked
        const query = { ...descendantsOf(cast.uid(group)), order_by: order }
        const [whole, part] = await Promise.all([listed(query), listed({ ...query, page_size: size, skip })])
        cast.holds(others(whole, group), descendantsIn(tree, group), 'the list without skip')
        inOrder(whole.items, order)
        const [expected, got] = [whole.items.slice(skip, skip + size), part.items]
        const keys = (items: typeof got) => JSON.stringify(keysOf(items, order))
        if (keys(expected) !== keys(got))
          violated({ message: 'skip leaves out others', expected: uids(expected), got: uids(got) })
        if (part.skipped !== skip) violated({ message: 'skipped is something else', expected: skip, got: part.skipped })
        if (part.totalCount !== whole.totalCount)
          violated({ message: 'skip counts otherwise', expected: whole.totalCount, got: part.totalCount })
      },
    }),
  }
}
