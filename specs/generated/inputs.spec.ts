import { requirement } from '../../helpers/case/requirement.ts'
import { askCredentials } from '../../helpers/generate/credentials.ts'
import { Driver } from '../../helpers/generate/driver.ts'
import { askCorners, askDeletes, askEffects } from '../../helpers/generate/effects.ts'
import { askExchanges } from '../../helpers/generate/exchanges.ts'
import { askForeign } from '../../helpers/generate/foreign.ts'
import { askHistory } from '../../helpers/generate/histories.ts'
import { askAllLists, askCrowd } from '../../helpers/generate/lists.ts'
import { askRaces } from '../../helpers/generate/races.ts'
import { askSequences } from '../../helpers/generate/sequences.ts'
import { askValues } from '../../helpers/generate/values.ts'
import { askSpellings } from '../../helpers/generate/wire/spellings.ts'
import { makeWorld } from '../../helpers/generate/world.ts'
import type { Log } from '../../helpers/http/call.ts'

// these cases only send: the model judges what is answered

const act = (exchanges: Log['exchanges']): Log => ({ phase: 'act', exchanges })

requirement(
  {
    id: 'model.inputs.lists',
    level: 'observe',
    statement: 'S4.15',
    quote: 'All List endpoints take the list parameters',
    says: 'How many combinations of list parameters were asked for',
  },
  async ({ run, scratch, evidence, observe }) => {
    const driver = new Driver(run, act(evidence), scratch.uid, 'lists')
    observe(`${(await askAllLists(driver)) > 0 ? 'some' : 'none'}`)
  },
)

requirement(
  {
    id: 'model.inputs.crowd',
    level: 'observe',
    statement: 'S4.25',
    quote: 'anyone who follows `nextPageToken` until it is absent has seen all results',
    says: 'How many walks went through a long list',
  },
  async ({ run, scratch, crowd, evidence, observe }) => {
    observe(`${await askCrowd(new Driver(run, act(evidence), scratch.uid, 'crowd'), crowd.scope)} walks`)
  },
)

requirement(
  {
    id: 'model.inputs.effects',
    level: 'observe',
    statement: 'S4.26, R29',
    quote: 'changes only the fields that its body has',
    says: 'Whether each command was sent to a full world',
  },
  async ({ run, scratch, evidence, observe }) => {
    observe(`${await askEffects(new Driver(run, act(evidence), scratch.uid, 'effects'))} commands`)
  },
)

requirement(
  {
    id: 'model.inputs.corners',
    level: 'observe',
    statement: 'S4.26, R29',
    quote: 'changes only the fields that its body has',
    says: 'How many commands that combine calls were sent to a full world',
  },
  async ({ run, scratch, evidence, observe }) => {
    observe(`${await askCorners(new Driver(run, act(evidence), scratch.uid, 'corners'))} commands`)
  },
)

requirement(
  {
    id: 'model.inputs.deletes',
    level: 'observe',
    statement: 'S7.6, R29, R30',
    quote: 'A failed delete of a group that is not empty must leave the group and its children',
    says: 'How many groups with something in them were deleted',
  },
  async ({ run, scratch, evidence, observe }) => {
    observe(`${await askDeletes(new Driver(run, act(evidence), scratch.uid, 'deletes'))} groups`)
  },
)

requirement(
  {
    id: 'model.inputs.values',
    level: 'observe',
    statement: 'S2.6, R3, R6',
    quote: 'each name outside it must be refused',
    says: 'How many odd values were sent',
  },
  async ({ run, scratch, evidence, observe }) => {
    observe(`${await askValues(new Driver(run, act(evidence), scratch.uid, 'values'))} values`)
  },
)

requirement(
  {
    id: 'model.inputs.spellings',
    level: 'observe',
    statement: 'S4.26, R51',
    quote: 'A body is JSON whatever its white space, member order, escapes or `charset`',
    says: 'Whether calls were sent in other spellings and beside other headers',
  },
  async ({ run, scratch, crowd, evidence, observe }) => {
    const driver = new Driver(run, act(evidence), scratch.uid, 'spellings')
    observe((await askSpellings(driver, crowd.scope)) > 0 ? 'sent' : 'not sent')
  },
)

for (let number = 1; number <= 4; number++) {
  requirement(
    {
      id: `model.inputs.history-${number}`,
      level: 'observe',
      statement: 'S4.1, R28',
      quote: 'Get must not answer 2xx, and lists and counts must leave it out',
      says: `How many steps drawn history ${number} over all kinds had`,
    },
    async ({ run, scratch, evidence, observe }) => {
      const driver = new Driver(run, act(evidence), scratch.uid, `history ${number}`)
      observe(`${await askHistory(driver, 24)} steps`)
    },
  )
}

requirement(
  {
    id: 'model.inputs.sequences',
    level: 'observe',
    statement: 'S4.26, R29',
    quote: 'changes only the fields that its body has',
    says: 'Whether a family of groups lived through events in orders in which any three follow each other',
  },
  async ({ run, scratch, evidence, observe }) => {
    const driver = new Driver(run, act(evidence), scratch.uid, 'sequences')
    observe((await askSequences(driver)) > 0 ? 'yes' : 'no')
  },
)

requirement(
  {
    id: 'model.inputs.races',
    level: 'observe',
    statement: 'S4.26, R31',
    quote: 'changes only the fields that its body has',
    says: 'How many pairs of writes were sent together',
  },
  async ({ run, scratch, evidence, observe }) => {
    observe(`${await askRaces(new Driver(run, act(evidence), scratch.uid, 'races'), 1)} pairs`)
  },
)

requirement(
  {
    id: 'model.inputs.credentials',
    level: 'observe',
    statement: 'S5.1, R39',
    quote: 'No call goes without `Authorization: Bearer` and a token',
    says: 'Whether bad credentials were tried on every operation',
  },
  async ({ run, scratch, evidence, observe }) => {
    const driver = new Driver(run, act(evidence), scratch.uid, 'credentials')
    const asked = await askCredentials(driver, await makeWorld(driver), [], 220)
    observe(asked > 0 ? 'tried' : 'not tried')
  },
)

requirement(
  {
    id: 'model.inputs.exchanges',
    level: 'observe',
    statement: 'S2.11, R41',
    quote: 'a token with matching claims may assume the identity',
    says: 'Whether near misses of claims were exchanged',
    profile: 'sts',
  },
  async ({ run, scratch, sts, evidence, observe }) => {
    const driver = new Driver(run, act(evidence), scratch.uid, 'exchanges')
    observe((await askExchanges(driver, sts)) > 0 ? 'tried' : 'not tried')
  },
)

requirement(
  {
    id: 'model.inputs.foreign',
    level: 'observe',
    statement: 'S4.15, R24',
    quote: 'All List endpoints take the list parameters',
    says: 'Whether lists of what others made were asked for',
    profile: 'registry',
  },
  async ({ run, scratch, evidence, observe }) => {
    const driver = new Driver(run, act(evidence), scratch.uid, 'foreign')
    observe((await askForeign(driver)) > 0 ? 'asked' : 'not asked')
  },
)
