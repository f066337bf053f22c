import { afterAll, expect, test } from 'vitest'
import { everything } from '../../cli/input/selections.ts'
import { type Watched, watched } from '../hostile/proxy.ts'
import { runSuite } from '../support/runs/built.ts'

const opened: (() => void)[] = []
afterAll(() => {
  for (const close of opened) close()
})

/** Examines a target that lets the run no further at some point: the run says why, and nothing is red. */
async function expectNobodyAccused(target: Watched, why: string): Promise<void> {
  opened.push(target.close)
  const { report } = await runSuite({ values: target.values, selection: everything })
  const red = report.requirements.filter(({ outcome }) => outcome === 'fail' || outcome === 'warning')

  expect(red.map(({ id }) => id)).toEqual([])
  expect(report.verdict).toBe('undetermined')
  expect(report.requirements.some(({ note }) => note?.includes(why))).toBe(true)
}

test.for([300, 4_000, 10_000])('a token that ends after %i answers accuses nobody', async (last) => {
  let answers = 0
  const target = await watched(({ headers }) => {
    if (headers.authorization !== `Bearer ${target.values.RMAPI_ACCESS_TOKEN}`) return undefined
    return ++answers > last ? 401 : undefined
  })

  await expectNobodyAccused(target, 'no longer accepted')
})

const login = { location: 'https://login.example/', 'content-type': 'text/html' }

test.for([302, 200])('a login that is asked for by %i in mid-run accuses nobody', async (status) => {
  let answers = 0
  const page = { status, body: '<h1>Log in</h1>', headers: login }
  const target = await watched(() => (++answers > 4_000 ? page : undefined))

  await expectNobodyAccused(target, 'a login is asked for')
})
