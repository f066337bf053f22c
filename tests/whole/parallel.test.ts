import { request as ask, createServer } from 'node:http'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { everything } from '../../cli/input/selections.ts'
import type { Values } from '../../helpers/settings/configuration.ts'
import { type Reference, startReference } from '../../reference/embed.ts'
import type { Requirement } from '../../schemas/types.ts'
import { runSuite } from '../support/runs/built.ts'
import { listen } from '../support/runs/servers.ts'

let reference: Reference
beforeAll(async () => {
  reference = await startReference()
})
afterAll(() => reference.close())

const settingsFor = (baseUrl: string): Values => ({
  RMAPI_BASE_URL: baseUrl,
  RMAPI_GROUP_UID: reference.groupUid,
  RMAPI_ACCESS_TOKEN: reference.accessToken,
  RMAPI_REGISTRY_GROUP_UID: reference.registryGroupUid,
  RMAPI_NONEMPTY_GROUP_UID: reference.nonemptyGroupUid,
})

const contents = () =>
  (['groups', 'identities', 'roleBindings'] as const)
    .flatMap((kind) => [...reference.world.store.all(kind)].map(({ uid }) => uid))
    .sort()

/** What is left undecided where two runs share a target: neither may move its clock. */
const needsClock = ({ outcome, note }: Requirement) =>
  outcome === 'inconclusive' && note?.includes('RMAPI_CLOCK_URL') === true

const isWell = ({ outcome }: Requirement) => ['pass', 'observed', 'not offered'].includes(outcome)

describe('the reference', () => {
  test('keeps the contract in two runs at once by its settings, which leave nothing behind', async () => {
    const before = contents()
    const values = settingsFor(reference.baseUrl)

    const runs = await Promise.all([1, 2].map(() => runSuite({ values, selection: everything })))

    for (const { report, exitCode } of runs) {
      const bad = report.requirements.filter((row) => !isWell(row) && !needsClock(row))

      expect(bad.map(({ id, outcome, note }) => `${id} ${outcome}: ${note}`)).toEqual([])
      expect(report).toMatchObject({ verdict: 'partial', problems: [], left: [] })
      expect(exitCode).toBe(0)
    }
    expect(contents()).toEqual(before)
  })

  test('behind a gateway that takes %2F alone keeps all but that one should', async () => {
    const before = contents()
    const gateway = createServer((incoming, requestFor) => {
      const { method, headers, url = '' } = incoming
      if (/^\/iam\/[^/]+\/\w+\/[^/?]+\//.test(url)) {
        incoming.resume()
        requestFor.writeHead(404).end()
        return
      }
      const onward = ask(reference.baseUrl + url, { method, headers }, (answer) => {
        requestFor.writeHead(answer.statusCode ?? 500, answer.headers)
        answer.pipe(requestFor)
      })
      incoming.pipe(onward.once('error', () => requestFor.destroy()))
    })
    const baseUrl = `http://127.0.0.1:${await listen(gateway)}`

    const selection = { ...everything, only: ['service.*', 'group.*', 'identity.*', 'roleBinding.*'] }
    const { report, exitCode } = await runSuite({ values: settingsFor(baseUrl), selection })
    gateway.close()
    gateway.closeAllConnections()

    const bad = report.requirements.filter((row) => !isWell(row))
    expect(bad.map(({ id, outcome, note }) => `${id} ${outcome} ${note}`)).toEqual([
      expect.stringContaining('service.slashes warning'),
    ])
    expect(report).toMatchObject({ problems: [], left: [] })
    expect(exitCode).toBe(0)
    expect(contents()).toEqual(before)
  })
})
