import { expect, test } from 'vitest'
import { everything } from '../../cli/input/selections.ts'
import { startReference } from '../../reference/embed.ts'
import type { Replacement } from '../../reference/replace.ts'
import { runSuite } from '../support/runs/built.ts'

const values = { RMAPI_SEED: '1', RMAPI_VERSION: 'v2' }

/** What a run came to. */
async function resultOf(options: Parameters<typeof runSuite>[0]) {
  const { report } = await runSuite(options)
  const red = report.requirements.filter(({ outcome }) => ['fail', 'warning', 'error'].includes(outcome))
  const passed = report.requirements.filter(({ outcome }) => outcome === 'pass').length
  return { verdict: report.verdict, passed, red: red.map(({ id }) => id) }
}

test('with --api-version v2 the embedded reference is conformant, and only one call goes to v2beta1', async () => {
  const calls = { v1: 0, v2: 0, v2beta1: 0 }
  const counting: Replacement = (contract) => ({
    transport(request, response, serve, at) {
      if (at.version in calls) calls[at.version as keyof typeof calls]++
      return contract.transport(request, response, serve, at)
    },
  })

  expect(await resultOf({ values, selection: everything, embedded: { rules: counting } })).toMatchObject({
    verdict: 'conformant',
    red: [],
  })
  expect(calls).toEqual({ v1: expect.any(Number), v2: expect.any(Number), v2beta1: 1 })
  expect(calls.v1).toBeGreaterThan(50)
  expect(calls.v2).toBeGreaterThan(2000)
})

test('a server that has v2 and no v2beta1 keeps the contract', async () => {
  const { baseUrl, accessToken, close, ...groups } = await startReference({
    rules: () => ({ serves: (version) => version !== 'v2beta1' }),
  })
  const target = {
    RMAPI_BASE_URL: baseUrl,
    RMAPI_GROUP_UID: groups.groupUid,
    RMAPI_REGISTRY_GROUP_UID: groups.registryGroupUid,
    RMAPI_NONEMPTY_GROUP_UID: groups.nonemptyGroupUid,
    RMAPI_ACCESS_TOKEN: accessToken,
  }
  try {
    const selection = { ...everything, only: ['service.*', '*.answers', 'group.*', 'v1.*', 'list.skip.*'] }
    const { passed, red } = await resultOf({ values: { ...values, ...target }, selection })
    expect(red).toEqual([])
    expect(passed).toBeGreaterThan(150)
  } finally {
    await close()
  }
})

test('shapes that changed with the segment are found', async () => {
  const renamed: Replacement = (contract) => ({
    group(item, time, at) {
      const { createTime, ...fields } = contract.group(item, time, at)
      return at.version === 'v2' ? { ...fields, createdAt: createTime } : { ...fields, createTime }
    },
  })
  const selection = { ...everything, only: ['group.get.shape'] }

  expect(await resultOf({ values, selection, embedded: { rules: renamed } })).toMatchObject({
    verdict: 'nonconformant',
    red: ['group.get.shape'],
  })
})
