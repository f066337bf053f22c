import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect } from 'vitest'
import { type Reference, startReference } from '../../../reference/embed.ts'
import type { Replacement } from '../../../reference/replace.ts'
import { type Environment, ended, start } from './child.ts'

/** A folder to run commands in, and servers for them; all of it goes when the tests of the file have ended. */
export function commandsIn(name: string) {
  const folder = mkdtempSync(join(tmpdir(), `rmapi ${name} `))
  const servers: Reference[] = []
  afterAll(async () => {
    for (const { close } of servers) await close()
    rmSync(folder, { recursive: true, force: true })
  })
  return {
    folder,
    servers,
    at: (...path: string[]) => join(folder, ...path),
    cli: (args: string[], environment?: Environment) => ended(start(folder, args, environment)),
    /** Starts a server, and returns the settings that examine it. */
    serve: async (rules: Replacement = () => ({})): Promise<Environment> => {
      const reference = await startReference({ rules })
      servers.push(reference)
      const { baseUrl, groupUid, accessToken } = reference
      return { RMAPI_BASE_URL: baseUrl, RMAPI_GROUP_UID: groupUid, RMAPI_ACCESS_TOKEN: accessToken }
    },
  }
}

/** One sentence without a trace of the stack, and nothing on stdout. */
export const refusedWith = (why: RegExp) => ({ code: 2, stdout: '', stderr: expect.stringMatching(why) })
