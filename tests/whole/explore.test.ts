import { mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, test } from 'vitest'
import { startReference } from '../../reference/embed.ts'
import { Counts, changed } from '../../reference/faults/run/histories.ts'
import { on, type Replacement } from '../../reference/replace.ts'
import { exploreTarget, faults, variants } from '../support/runs/built.ts'

const folder = mkdtempSync(join(tmpdir(), 'rmapi explore '))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

/** Faults of the suite that take five calls or more to show. */
const known = [
  'a group made below one that was renamed twice is missing among its children',
  'to delete a group that was renamed takes a sibling out of the lists',
  'what is made in a group whose delete was refused is not listed',
  'after a refused delete a group is shown below no more than its parent',
  'where two were deleted the next one gets the uid of the second',
  'a walk ends a page early where groups were renamed and deleted',
  'the third change of one group is answered and forgotten',
].map((name) => ({ name, rules: faults.find((fault) => fault.name === name)!.rules }))

/** The same on other kinds, and longer ones. */
const further: { name: string; rules: Replacement }[] = [
  {
    name: 'the third change of one identity is answered and forgotten',
    rules: on('identities', (contract) => {
      const changes = new Counts()
      return {
        modify({ read, change, write }, at) {
          const third = changes.add(read().uid) === 3
          return contract.modify({ read, change, write: third ? () => {} : write }, at)
        },
      }
    }),
  },
  {
    name: 'a binding that was deleted and made again is not listed',
    rules: on('roleBindings', (contract) => {
      const [deleted, hidden] = [new Set<string>(), new Set<string>()]
      return {
        forget(steps, item, at) {
          deleted.add(String(item.identityUid))
          contract.forget(steps, item, at)
        },
        keep(item, at) {
          if (deleted.has(String(item.identityUid))) hidden.add(item.uid)
          contract.keep(item, at)
        },
        withinScope: (item, at) => contract.withinScope(item, at) && !hidden.has(item.uid),
      }
    }),
  },
  {
    name: 'the fourth change of one group takes its description away',
    rules: on('groups', (contract) => {
      const changes = new Counts()
      return changed(contract, (_old, next) => (changes.add(next.uid) === 4 ? { ...next, description: '' } : next))
    }),
  },
]

const figures: string[] = []
afterAll(() => process.stdout.write(`${figures.join('\n')}\n`))

describe('within a minute a fault is found, and shrunk to ten calls at the most:', () => {
  test.each([...known, ...further].map(({ name, rules }) => [name, rules] as const))('%s', async (name, rules) => {
    const { baseUrl, groupUid, accessToken, world, close } = await startReference({ rules })
    const values = {
      RMAPI_BASE_URL: baseUrl,
      RMAPI_GROUP_UID: groupUid,
      RMAPI_ACCESS_TOKEN: accessToken,
      RMAPI_SEED: '5',
    }
    const before = [...world.store.all('groups')].length
    const started = performance.now()
    const out = join(folder, 'found')

    const { finds, exitCode, report } = await exploreTarget({
      values,
      out,
      formats: ['json'],
      ms: 60_000,
      untilFound: true,
    })

    const seconds = ((performance.now() - started) / 1000).toFixed(1)
    figures.push(
      ...finds.map(
        ({ finding, drawn, calls }) => `${seconds} s, ${drawn} calls became ${calls.length}: ${name} (${finding.row})`,
      ),
    )
    const after = [...world.store.all('groups')].length
    await close()

    expect(exitCode).toBe(1)
    expect(finds.map(({ calls }) => calls.length).filter((length) => length > 10)).toEqual([])
    expect(finds.map(({ reproduced }) => reproduced)).not.toContain(false)
    expect(report.explored?.findings.map(({ file }) => file).sort()).toEqual(
      readdirSync(out)
        .filter((file) => file.startsWith('finding-'))
        .sort(),
    )
    expect(after).toBe(before)
  })
})

describe('what the contract leaves open is not accused:', () => {
  test.each([
    'a list shows everything 300 ms late',
    'a list by name shows what is new 400 ms late',
    'lists show what is new late while others call',
    'every new group holds a default group',
    'the creator of a group is bound in it two seconds later',
    'below includes the group itself',
    'a walk shows what there was when it began and still is',
    'others write in the same organization all the time',
    'identities and bindings have uids without a path',
    'a scratch group has one level of groups below it',
  ])('%s', async (name) => {
    const { rules } = variants.find((variant) => variant.name === name)!
    const options = { values: { RMAPI_SEED: '5' }, out: join(folder, 'open'), formats: ['json'] as const }

    const { finds, report } = await exploreTarget({ ...options, ms: 20_000, embedded: { rules } })

    expect(finds.map(({ finding: { row, expected, got } }) => `${row}: ${expected}, ${got}`)).toEqual([])
    expect(report.problems).toEqual([])
    expect(report.explored?.histories).toBeGreaterThan(1)
  })
})
