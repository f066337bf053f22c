import { expect } from 'vitest'
import { deleteGroup, fillAndEmpty } from '../../helpers/arrange/scratch.ts'
import { accepted, outcomeOf } from '../../helpers/assertions/refused.ts'
import { requirement } from '../../helpers/case/requirement.ts'
import { Driver } from '../../helpers/generate/driver.ts'
import { keptOf } from '../../helpers/generate/emptied.ts'
import { overEither } from '../../helpers/generate/over-either.ts'
import { succeeded } from '../../helpers/http/call.ts'

requirement(
  {
    id: 'group.delete.emptied',
    level: 'must',
    statement: 'S7.6, R30',
    quote: 'Deleting a group that has child resources gives code 9',
    restsOn: ['group.delete.not-empty.refused'],
    says: 'A group can be deleted after its only child was deleted',
  },
  async ({ api, scratch, eventually, atLeast }) => {
    const [parent, untouched] = [await scratch.makeGroup(), await scratch.makeGroup()]
    const child = await scratch.makeGroup({}, parent.uid)
    await api.attempt.groups.delete(parent.uid)

    accepted(await deleteGroup(api, scratch, child.uid), 'deleting the only child')

    const plain = await deleteGroup(api, scratch, untouched.uid)
    atLeast(1, 'plain deletes that succeed', succeeded(plain) ? 1 : 0)
    await eventually(async () => {
      const deleted = await deleteGroup(api, scratch, parent.uid)
      expect(outcomeOf(deleted), 'the answer to Delete of a group that was emptied').toMatch(/^2\d\d$/)
    })
  },
)

requirement(
  {
    id: 'group.delete.emptied.identities',
    level: 'must',
    statement: 'S7.6, S1.7, R30',
    quote: 'Deleting a group that has child resources gives code 9',
    says: 'A group can be deleted after its only identity and role binding were deleted, whichever went first',
    profile: 'identities',
  },
  async ({ api, scratch, eventually, atLeast }) => {
    const untouched = await scratch.makeGroup()
    const [one, other] = [await scratch.makeGroup(), await scratch.makeGroup()]
    await fillAndEmpty(api, scratch, one.uid, 'binding')
    await fillAndEmpty(api, scratch, other.uid, 'identity')

    const plain = await deleteGroup(api, scratch, untouched.uid)
    atLeast(1, 'plain deletes that succeed', succeeded(plain) ? 1 : 0)
    for (const parent of [one, other]) {
      await eventually(async () => {
        const deleted = await deleteGroup(api, scratch, parent.uid)
        expect(outcomeOf(deleted), 'the answer to Delete of a group that was emptied').toMatch(/^2\d\d$/)
      })
    }
  },
)

const whatever = {
  level: 'must',
  statement: 'S4.7, S7.6, R29, R30',
  quote: 'a group must be deletable too when its content was made by the case and deleted again',
} as const

requirement(
  {
    ...whatever,
    id: 'group.delete.emptied.whatever',
    restsOn: ['group.delete.emptied'],
    says: 'A group that is empty again can be deleted, whatever happened in it before',
  },
  async ({ run, api, scratch, evidence, atLeast }) => {
    const driver = new Driver(run, { phase: 'act', exchanges: evidence }, scratch.uid, 'emptied')
    expect(await keptOf(driver, { api, scratch, atLeast }), 'the empty groups that stay').toEqual([])
  },
)

requirement(
  {
    ...whatever,
    id: 'grpc.delete.emptied',
    restsOn: ['group.delete.emptied'],
    profile: 'grpc',
    says: 'A group that is empty again can be deleted, whatever happened in it over either protocol',
  },
  async ({ run, api, scratch, evidence, atLeast }) => {
    await run.grpcDoor.mustBeOpen()
    const log = { phase: 'act', exchanges: evidence } as const
    const driver = new Driver(overEither(run, 'emptied'), log, scratch.uid, 'grpc emptied')
    expect(await keptOf(driver, { api, scratch, atLeast }), 'the empty groups that stay').toEqual([])
  },
)
