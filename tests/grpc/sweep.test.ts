import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect } from 'vitest'
import { Journal } from '../../helpers/api/journal.ts'
import { startReference } from '../../reference/embed.ts'
import { both } from '../../reference/replace.ts'
import { variantNamed } from '../../reference/variants.ts'
import { apiFor, headerFor, rootName, sweep } from '../support/runs/closing.ts'
import { configFor, test } from '../support/runs/servers.ts'

const folder = mkdtempSync(join(tmpdir(), 'sweep-grpc-'))

afterAll(() => rmSync(folder, { recursive: true, force: true }))

const { rules: overGrpcAlone } = variantNamed('providers, associations and invites are served over gRPC alone')
const { rules: numbers } = variantNamed('every kind but groups has numbers for uids, each its own')

test.for([
  ['uids that are paths', overGrpcAlone],
  ['uids that are numbers', both(numbers, overGrpcAlone)],
] as const)('what a target serves over gRPC alone, with %s, is deleted there', async ([uids, rules], { closing }) => {
  const reference = await startReference({ rules })
  closing.unshift(() => reference.close())
  const { baseUrl, groupUid, accessToken, world } = reference
  const config = configFor(baseUrl, { groupUid, credentials: { accessToken } })
  const path = join(folder, `${uids}.jsonl`)
  const journal = new Journal(groupUid, path, undefined, headerFor(config))
  const api = apiFor(config, journal, closing)
  const root = await api.groups.create(groupUid, { name: rootName })
  journal.root = root.uid
  const home = await api.groups.create(root.uid, { name: 'home' })
  const { accountAssociations } = apiFor(config, journal, closing, 'grpc')
  const gone = await accountAssociations.create(home.uid, { name: 'gone' })
  await accountAssociations.delete(gone.uid)
  await accountAssociations.create(home.uid, { name: 'cloud' })
  const inHome = () => [...world.store.under('accountAssociations', home.uid)]
  expect(inHome()).toHaveLength(1)

  expect(await sweep(config, path)).toMatchObject({ left: [], refused: [], sure: true })

  expect(inHome()).toEqual([])
  expect(world.store.get('groups', root.uid)).toBeUndefined()
})
