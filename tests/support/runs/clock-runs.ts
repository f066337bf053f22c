import { mkdtempSync, rmSync } from 'node:fs'
import { createServer, type RequestListener } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect } from 'vitest'
import { everything } from '../../../cli/input/selections.ts'
import type { Values } from '../../../helpers/settings/configuration.ts'
import { type Reference, startReference } from '../../../reference/embed.ts'
import { faultNamed } from '../../../reference/faults.ts'
import type { Replacement } from '../../../reference/replace.ts'
import { runSuite } from './built.ts'
import { listen } from './servers.ts'

const kinds = ['groups', 'identities', 'roleBindings'] as const

/** What a reference server holds below the operator's group. */
export const below = ({ world, groupUid }: Reference) =>
  kinds.flatMap((kind) => [...world.store.all(kind)]).filter(({ uid }) => uid.startsWith(`${groupUid}/`))

/** The requirements about days and hours. */
export const ofDays = { ...everything, only: ['list.token.lives*', 'list.token.restarts*', 'sts.token.hour.*'] }

/** What a run is given besides its settings. */
interface More {
  resume?: string
  signal?: AbortSignal
  only?: string[]
  forResume?: boolean
  wait?: boolean
}

/** Runs against targets whose clock moves; each test has a folder of its own. */
export function clockRuns() {
  const opened: (() => unknown)[] = []
  const own = { folder: '' }

  beforeEach(() => {
    own.folder = mkdtempSync(join(tmpdir(), 'time-'))
  })

  afterEach(async () => {
    for (const close of opened.splice(0)) await close()
    rmSync(own.folder, { recursive: true, force: true })
  })

  /** A reference, and the settings that examine it, without its clock hook and with it. */
  async function aTarget(
    fault?: string,
    rules: Replacement = fault === undefined ? () => ({}) : faultNamed(fault).rules,
  ) {
    const reference = await startReference({ rules })
    opened.push(() => reference.close())
    const values = {
      RMAPI_BASE_URL: reference.baseUrl,
      RMAPI_GROUP_UID: reference.groupUid,
      RMAPI_ACCESS_TOKEN: reference.accessToken,
    }
    return { reference, values, hooked: { ...values, RMAPI_CLOCK_URL: reference.clockUrl } }
  }

  /** The address of a server that answers so. */
  async function aServer(listener: RequestListener): Promise<string> {
    const server = createServer(listener)
    opened.push(() => {
      server.close()
      server.closeAllConnections()
    })
    return `http://127.0.0.1:${await listen(server)}`
  }

  async function run(values: Values, more: More = {}) {
    const { only = ofDays.only, ...others } = more
    const { report, exitCode } = await runSuite({
      values,
      selection: { ...everything, only },
      out: own.folder,
      ...others,
    })
    const broken = report.requirements.filter(({ outcome }) => outcome === 'error')
    expect(broken.map(({ id, note }) => `${id}: ${note}`)).toEqual([])
    const outcomeOf = (id: string) => report.requirements.find((row) => row.id === id)?.outcome
    const outcomes = [...new Set(report.requirements.map(({ outcome }) => outcome))]
    const notes = [...new Set(report.requirements.map(({ note }) => note ?? ''))].join('\n')
    return { report, exitCode, outcomeOf, outcomes, notes }
  }

  return { own, aTarget, aServer, run }
}
