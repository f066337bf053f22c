import { requirement } from '../../helpers/case/requirement.ts'
import { askCredentials } from '../../helpers/generate/credentials.ts'
import { Driver } from '../../helpers/generate/driver.ts'
import { askCorners, askEffects } from '../../helpers/generate/effects.ts'
import { askExchanges } from '../../helpers/generate/exchanges.ts'
import { askForeign } from '../../helpers/generate/foreign.ts'
import { askHistory } from '../../helpers/generate/histories.ts'
import { askAllLists } from '../../helpers/generate/lists.ts'
import { askCrowd, askMany } from '../../helpers/generate/many.ts'
import { askRaces, askRacesInFamilies } from '../../helpers/generate/races.ts'
import { askSequences } from '../../helpers/generate/sequences/sequences.ts'
import { askDeletes } from '../../helpers/generate/steps/filled-groups.ts'
import { askMembers } from '../../helpers/generate/steps/member-updates.ts'
import { askValues } from '../../helpers/generate/values.ts'
import { askSpellings } from '../../helpers/generate/wire/spellings.ts'
import { makeWorld } from '../../helpers/generate/world.ts'
import type { Log } from '../../helpers/http/call.ts'
import type { Profile } from '../../helpers/requirement/header.ts'

// these cases only send: the model judges the answers

interface Inputs {
  statement: string
  quote: string
  says: string
  profile?: Profile
  /** Sends them, and returns how many. */
  ask: (driver: Driver) => Promise<number>
  /** What is observed where the number may vary from run to run. */
  shows?: (count: number) => string
}

const oneChange = { statement: 'S4.26, R29', quote: 'changes only the fields that its body has' }
const anyList = { statement: 'S4.15', quote: 'All List endpoints take the list parameters' }
const history = {
  statement: 'S4.1, R28',
  quote: 'Get must not answer 2xx, and lists and counts must leave it out',
  ask: (driver: Driver) => askHistory(driver, 24),
}
const whether = (count: number) => (count > 0 ? 'yes' : 'no')

const inputs: Record<string, Inputs> = {
  lists: {
    ...anyList,
    says: 'Whether combinations of list parameters were asked for',
    ask: askAllLists,
    shows: whether,
  },
  effects: { ...oneChange, says: 'How many commands were sent to a full world', ask: askEffects },
  corners: {
    ...oneChange,
    says: 'How many commands that combine calls were sent to a full world',
    ask: askCorners,
  },
  members: {
    ...oneChange,
    statement: 'S4.26, S4.27, R31',
    says: 'Whether updates sent each pair of members under each mask',
    ask: askMembers,
    shows: whether,
  },
  many: {
    statement: 'S4.11, S4.25',
    quote: 'anyone who follows `nextPageToken` until it is absent has seen all results',
    says: 'How many walks went through long lists of every kind',
    ask: askMany,
  },
  deletes: {
    statement: 'S7.6, R29, R30',
    quote: 'A failed delete of a group that is not empty must leave the group and its children',
    says: 'How many groups with something in them were deleted',
    ask: askDeletes,
  },
  values: {
    statement: 'S2.6, R3, R6',
    quote: 'each name outside it must be refused',
    says: 'How many odd values were sent',
    ask: askValues,
  },
  'history-1': { ...history, says: 'How many steps drawn history 1 over all kinds had' },
  'history-2': { ...history, says: 'How many steps drawn history 2 over all kinds had' },
  'history-3': { ...history, says: 'How many steps drawn history 3 over all kinds had' },
  'history-4': { ...history, says: 'How many steps drawn history 4 over all kinds had' },
  sequences: {
    ...oneChange,
    says: 'Whether a family of groups went through every sequence of three events',
    ask: askSequences,
    shows: whether,
  },
  races: {
    ...oneChange,
    statement: 'S4.26, R31',
    says: 'How many pairs of writes were sent together',
    ask: async (driver) => (await askRaces(driver)) + (await askRacesInFamilies(driver)),
  },
  credentials: {
    statement: 'S5.1, R39',
    quote: 'No call goes without `Authorization: Bearer` and a token',
    says: 'Whether bad credentials were tried on every operation',
    ask: async (driver) => askCredentials(driver, await makeWorld(driver), 400),
    shows: whether,
  },
  foreign: {
    ...anyList,
    statement: 'S4.15, R24',
    says: 'Whether lists of what others made were asked for',
    profile: 'registry',
    ask: askForeign,
    shows: whether,
  },
}

const act = (exchanges: Log['exchanges']): Log => ({ phase: 'act', exchanges })

for (const [aspect, { ask, shows = String, ...header }] of Object.entries(inputs)) {
  requirement(
    { id: `model.inputs.${aspect}`, level: 'observe', long: true, ...header },
    async ({ run, scratch, evidence, observe }) => {
      observe(shows(await ask(new Driver(run, act(evidence), scratch.uid, aspect))))
    },
  )
}

requirement(
  {
    id: 'model.inputs.crowd',
    level: 'observe',
    long: true,
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
    id: 'model.inputs.spellings',
    level: 'observe',
    long: true,
    statement: 'S4.26, R51',
    quote: 'A body is JSON whatever its white space, member order, escapes or `charset`',
    says: 'Whether calls were sent in other spellings and beside other headers',
  },
  async ({ run, scratch, crowd, evidence, observe }) => {
    const driver = new Driver(run, act(evidence), scratch.uid, 'spellings')
    observe(whether(await askSpellings(driver, crowd.scope)))
  },
)

requirement(
  {
    id: 'model.inputs.exchanges',
    level: 'observe',
    long: true,
    statement: 'S2.11, R41',
    quote: 'a token with matching claims may assume the identity',
    says: 'Whether near misses of claims were exchanged',
    profile: 'sts',
  },
  async ({ run, scratch, sts, evidence, observe }) => {
    const driver = new Driver(run, act(evidence), scratch.uid, 'exchanges')
    observe(whether(await askExchanges(driver, sts)))
  },
)
