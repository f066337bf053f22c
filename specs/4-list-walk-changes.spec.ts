import { ownKinds } from '../helpers/api/kinds.ts'
import { type Change, changesOf, walkDuring } from '../helpers/arrange/changes.ts'
import { requirementOnEach } from '../helpers/case/requirement.ts'

const whileOthers: Record<Change, string> = {
  insert: 'make some on both sides of the cursor',
  delete: 'delete the last one shown and the next one to be shown',
  rename: 'rename one that was shown and one that was not to the other side of the cursor',
  touch: 'change the description of the first one shown',
}

for (const [change, says] of Object.entries(whileOthers) as [Change, string][]) {
  requirementOnEach(
    ownKinds.filter((kind) => changesOf(kind).includes(change)),
    {
      id: `list.walk.while-others.${change}`,
      level: 'should',
      statement: 'S4.20, S4.25, R22',
      says: `What stands through a whole walk is found exactly once while others ${says}`,
    },
    (kind) =>
      async ({ api, scratch, names, present }) => {
        await present(api.attempt[kind].list(scratch.children))

        await walkDuring(change, { api, scratch, names, kind })
      },
  )
}
