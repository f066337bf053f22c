import { requirement } from '../../helpers/case/requirement.ts'
import { changing, reading } from '../../helpers/stories/commands.ts'

/** Families whose cases check the same in fewer calls. */
const deeperThan = ['group.', 'list.', 'error.', 'service.', 'time.']

requirement(
  {
    id: 'group.story.changes',
    level: 'must',
    statement: 'S4.1, S4.26, S4.27, S4.28, S7.6, R28, R29, R55',
    quote:
      'A resource must be the same wherever it shows (in the answer to its create, in Get, in every list, embedded)',
    says: 'Get and the lists show exactly the existing groups, as last changed, after any sequence of changes',
    deeperThan,
  },
  ({ checkModel }) => checkModel(changing),
)

requirement(
  {
    id: 'group.story.lists',
    level: 'must',
    statement: 'S4.8, S4.10, S4.18, S4.22, S4.23, S4.25, R28',
    quote: 'follows `nextPageToken` until it is absent has seen all results',
    says: 'Walks, skips and filters find exactly the existing groups, after any sequence of changes',
    deeperThan,
  },
  ({ checkModel }) => checkModel(reading),
)
