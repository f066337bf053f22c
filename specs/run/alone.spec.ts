import { expect } from 'vitest'
import { ownUids } from '../../helpers/api/own-items.ts'
import { ofEach } from '../../helpers/case/of-each.ts'
import { requirement } from '../../helpers/case/requirement.ts'

requirement(
  {
    id: 'list.newest',
    level: 'must',
    statement: 'S4.1, S4.16, S4.18, R52',
    quote: '`totalCount`, gives the matches across all pages',
    restsOn: ['list.walk.filter'],
    says: 'The newest group appears in every list and total, although nothing is written after it',
    alone: true,
  },
  async ({ api, run, scratch, names, eventually }) => {
    const older = await scratch.makeGroups(2)
    const newest = await api.groups.create(scratch.uid, { name: names.fresh() })

    const queries = [scratch.children, scratch.descendants, { ...scratch.children, order_by: 'created_at desc' }]
    const wanted = [...older, newest].map(({ uid }) => uid).sort()
    await eventually(async () => {
      const [named, ...pages] = await Promise.all(
        [{ ...scratch.children, name: String(newest.name) }, ...queries].map((query) => api.groups.list(query)),
      )
      expect(
        pages.map((page) =>
          ownUids(page.items, run)
            .filter((uid) => uid !== scratch.uid)
            .sort(),
        ),
        ofEach('the groups that were made, in each list', queries),
      ).toEqual(queries.map(() => wanted))
      expect(
        pages.map(({ totalCount }) => totalCount),
        ofEach('the total of each list', queries),
      ).toEqual(pages.map(({ items }) => String(items.length)))
      expect(
        named!.items.map(({ uid }) => uid),
        'the groups with the name of the newest',
      ).toEqual([newest.uid])
    })
  },
)
