import { ownKinds } from '../../helpers/api/kinds.ts'
import { requirement } from '../../helpers/case/requirement.ts'
import { askClaimsWritten, askReading } from '../../helpers/generate/claim-histories.ts'
import { askCredentials } from '../../helpers/generate/credentials.ts'
import { Driver } from '../../helpers/generate/driver.ts'
import { askBrief } from '../../helpers/generate/effects.ts'
import { askUnexchanged } from '../../helpers/generate/exchanges.ts'
import { askForeign } from '../../helpers/generate/foreign.ts'
import { askHistory } from '../../helpers/generate/histories.ts'
import { askListsOf } from '../../helpers/generate/lists.ts'
import { overEither } from '../../helpers/generate/over-either.ts'
import { askRacesBeside } from '../../helpers/generate/races.ts'
import { askHouseholds } from '../../helpers/generate/sequences/households.ts'
import { askMembers } from '../../helpers/generate/steps/member-updates.ts'
import { askTexts } from '../../helpers/generate/texts/in-messages.ts'
import { writeOverBoth } from '../../helpers/generate/wire/both-protocols.ts'
import { makeWorld } from '../../helpers/generate/world.ts'

// these cases only send: the model judges the answers of each protocol

/** By what is done: the protocol of its writes, unless it is drawn for each call. */
const asked: Record<string, [says: string, ask: (driver: Driver) => Promise<number>, writes?: 'grpc']> = {
  effects: ['commands to a full world', askBrief, 'grpc'],
  history: ['steps of a drawn history', (driver) => askHistory(driver, 24)],
  households: ['events in households', askHouseholds],
  races: ['pairs of writes at once', (driver) => askRacesBeside(driver, 8)],
}

for (const [aspect, [what, ask, writes]] of Object.entries(asked)) {
  requirement(
    {
      id: `grpc.inputs.${aspect}`,
      level: 'observe',
      long: true,
      statement: 'S1.5, R60',
      quote: 'What does answer is held to the rulings and levels that the same operation has over HTTP',
      says: `How many were sent, alternating between both protocols: ${what}`,
    },
    async ({ run, scratch, evidence, observe }) => {
      await run.grpcSupport.mustBeServed()
      const log = { phase: 'act', exchanges: evidence } as const
      observe(`${await ask(new Driver(overEither(run, aspect, writes), log, scratch.uid, `grpc ${aspect}`))}`)
    },
  )
}

/** What goes only over gRPC: each kind has its own service and messages there. */
const askedThere: Record<string, [says: string, ask: (driver: Driver) => Promise<number>]> = {
  lists: ['lists with every parameter', (driver) => askListsOf(driver, ownKinds)],
  foreign: ['lists of what others made', askForeign],
  members: ['updates of each pair of members under each mask', askMembers],
  texts: ['odd names and descriptions', askTexts],
  credentials: [
    'calls with a bad credential',
    async (driver) => askCredentials(driver, await makeWorld(driver, 3), 140),
  ],
}

for (const [aspect, [what, ask]] of Object.entries(askedThere)) {
  requirement(
    {
      id: `grpc.inputs.${aspect}`,
      level: 'observe',
      long: true,
      statement: 'S1.5, R60',
      quote: 'What does answer is held to the rulings and levels that the same operation has over HTTP',
      says: `Whether gRPC was sent ${what}`,
    },
    async ({ run, scratch, evidence, observe }) => {
      await run.grpcSupport.mustBeServed()
      const log = { phase: 'act', exchanges: evidence } as const
      const driver = new Driver({ ...run, over: 'grpc' }, log, scratch.uid, `grpc ${aspect}`)
      observe((await ask(driver)) > 0 ? 'yes' : 'no')
    },
  )
}

requirement(
  {
    id: 'grpc.inputs.both',
    level: 'observe',
    long: true,
    statement: 'S1.5, R60',
    quote: 'What does answer is held to the rulings and levels that the same operation has over HTTP',
    says: 'How many resources were written through one protocol and read through both',
  },
  async ({ run, scratch, evidence, observe }) => {
    await run.grpcSupport.mustBeServed()
    const log = { phase: 'act', exchanges: evidence } as const
    const driverFor = (protocol: object, salt: string) => new Driver({ ...run, ...protocol }, log, scratch.uid, salt)
    observe(`${await writeOverBoth(driverFor({}, 'both'), driverFor({ over: 'grpc' }, 'grpc both'))}`)
  },
)

requirement(
  {
    id: 'grpc.inputs.exchanges',
    level: 'observe',
    long: true,
    statement: 'S2.11, R41, R60',
    quote: 'a token with matching claims may assume the identity',
    says: 'Whether claims that changed over gRPC were exchanged',
  },
  async ({ run, sts, scratch, evidence, observe }) => {
    await run.grpcSupport.mustBeServed()
    const log = { phase: 'act', exchanges: evidence } as const
    const driver = new Driver(overEither(run, 'exchanges', 'grpc'), log, scratch.uid, 'grpc exchanges')
    await askUnexchanged(driver, await sts.sign(), sts.uid)
    await askClaimsWritten(driver, sts)
    await askReading(driver, sts)
    observe(evidence.some(({ operation }) => operation === 'sts.exchange') ? 'tried' : 'not tried')
  },
)
