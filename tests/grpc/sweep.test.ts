import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect } from 'vitest'
import { Journal } from '../../helpers/api/journal.ts'
import { startReference } from '../../reference/embed.ts'
import { variantNamed } from '../../reference/variants.ts'
import { apiFor, headerFor, rootName, sweep } from '../support/runs/closing.ts'
import { configFor, test } from '../support/runs/servers.ts'

const folder = mkdtempSync(join(tmpdir(), 'sweep-grpc-'))

afterAll(() => rmSync(folder, { recursive: true, force: true }))

test('what a target serves over gRPC alone is deleted there', async ({ closing }) => {
  const { rules } = variantNamed('providers, associations and invites are served over gRPC alone')
  const reference = await startReference({ rules })
  closing.unshift(() => reference.close())
  const { baseUrl, groupUid, accessToken, world } = reference
  const config = configFor(baseUrl, { groupUid, credentials: { accessToken } })
  const path = join(folder, 'journal.jsonl')
  const journal = new Journal(groupUid, path, undefined, headerFor(config))
  const api = apiFor(config, journal, closing)
  const root = await api.groups.create(groupUid, { name: rootName })
  journal.root = root.uid
  const home = await api.groups.create(root.uid, { name: 'home' })
  await apiFor(config, journal, closing, 'grpc').accountAssociations.create(home.uid, { name: 'cloud' })
  const inHome = () => [...world.store.under('accountAssociations', home.uid)]
  expect(inHome()).toHaveLength(1)

  expect(await sweep(config, path)).toMatchObject({ left: [], refused: [], sure: true })

  expect(inHome()).toEqual([])
  expect(world.store.get('groups', root.uid)).toBeUndefined()
})
