import { requirement } from '../helpers/case/requirement.ts'
import { changing, reading } from '../helpers/stories/commands.ts'

/** Single cases that tell the same with a shorter history. */
const deeperThan = ['group.', 'list.', 'error.', 'service.', 'time.']

requirement(
  {
    id: 'group.story.changes',
    level: 'must',
    statement: 'S4.1, S4.26, S4.27, S4.28, S7.6, R28, R29, R55',
    says: 'Whatever a tree of groups went through, Get and the lists show each group where and as it was last put, and no other',
    deeperThan,
  },
  ({ checkModel }) => checkModel(changing),
)

requirement(
  {
    id: 'group.story.lists',
    level: 'must',
    statement: 'S4.8, S4.10, S4.18, S4.22, S4.23, S4.25, R28',
    says: 'Whatever a tree of groups went through, walks, skips and filters find exactly what then stands there',
    deeperThan,
  },
  ({ checkModel }) => checkModel(reading),
)
