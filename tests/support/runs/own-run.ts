import { randomBytes } from 'node:crypto'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll } from 'vitest'
import type { Api } from '../../../helpers/api/api.ts'
import { Journal } from '../../../helpers/api/journal.ts'
import { startReference } from '../../../reference/embed.ts'
import type { Replacement } from '../../../reference/replace.ts'
import { apiFor, type Closing, headerFor, rootName } from './closing.ts'
import { configFor } from './servers.ts'

/** The journals of these runs are here. */
export const folder = mkdtempSync(join(tmpdir(), 'sweep-'))

afterAll(() => rmSync(folder, { recursive: true, force: true }))

/** A reference with a run on it that has made its own group, written down in a journal on disk. */
export async function aRun(closing: Closing, rules?: Replacement) {
  const reference = await startReference(rules ? { rules } : {})
  const { baseUrl, groupUid, accessToken, world } = reference
  const config = configFor(baseUrl, { groupUid, credentials: { accessToken } })
  const path = join(folder, `${randomBytes(4).toString('hex')}.jsonl`)
  const journal = new Journal(groupUid, path, undefined, headerFor(config))
  const api = apiFor(config, journal, closing)
  closing.unshift(() => reference.close())
  const before = everything()
  const root = await api.groups.create(groupUid, { name: rootName })
  journal.root = root.uid
  return { api, root, path, before, everything, config, groupUid, journal, foreign: foreignApi() }

  function everything(): string[] {
    const kinds = ['groups', 'identities', 'roleBindings'] as const
    return kinds.flatMap((kind) => [...world.store.all(kind)].map(({ uid }) => uid)).sort()
  }

  /** Somebody else, who may write anywhere. */
  function foreignApi(): Api {
    const strangers = new Journal('nobody')
    strangers.root = groupUid
    return apiFor(config, strangers, closing)
  }
}
