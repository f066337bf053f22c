import { ownKinds } from '../helpers/api/kinds.ts'
import { type Change, changesOf, walkDuring } from '../helpers/arrange/changes.ts'
import { requirementOnEach } from '../helpers/case/requirement.ts'

const changes: Record<Change, string> = {
  insert: 'created around the cursor',
  delete: 'deleted around the cursor',
  rename: 'renamed across the cursor',
  touch: 'given another description',
}

for (const [change, happening] of Object.entries(changes) as [Change, string][]) {
  requirementOnEach(
    ownKinds.filter((kind) => changesOf(kind).includes(change)),
    {
      id: `list.walk.while-others.${change}`,
      level: 'should',
      statement: 'S4.20, S4.25, R22',
      quote: 'a resource that stands all the time appears exactly once',
      says: `A walk finds each untouched {one} exactly once while others are ${happening}`,
    },
    (kind) =>
      async ({ api, scratch, names, present }) => {
        await present(api.attempt[kind].list(scratch.children))

        await walkDuring(change, { api, scratch, names, kind })
      },
  )
}
