import { expect, test } from 'vitest'
import { everything } from '../../cli/input/selections.ts'
import { runSuite, variants } from '../support/runs/built.ts'

/** Which create of a kind has no answer: the first of all is the group of the run. */
const lost = { groups: 12, identities: 5, roleBindings: 3 }

test('a lost answer to a write leaves nothing undecided: it is made in another group (R56)', async () => {
  const only = [
    'list.order.name',
    'list.page-size.exact@identities',
    'list.scope.children@roleBindings',
    'group.name.*',
  ]
  const made = { groups: 0, identities: 0, roleBindings: 0 }
  const { report } = await runSuite({
    values: { RMAPI_SEED: '1' },
    selection: { ...everything, only },
    embedded: {
      rules: (contract) => ({
        async transport(request, response, serve, at) {
          const [, kind] = /^POST \/iam\/v2beta1\/(\w+)/.exec(`${request.method} ${request.url}`) ?? []
          const isLost =
            kind !== undefined && kind in made && ++made[kind as keyof typeof made] === lost[kind as keyof typeof made]
          if (isLost) request.socket.destroy()
          else await contract.transport(request, response, serve, at)
        },
      }),
    },
  })
  const undecided = report.requirements.filter(({ outcome }) => outcome !== 'pass' && outcome !== 'observed')

  expect(undecided.map(({ id, note }) => `${id}: ${note}`)).toEqual([])
  for (const kind of ['groups', 'identities', 'roleBindings'] as const) expect(made[kind]).toBeGreaterThan(lost[kind])
})

test('a Get that calls invalid what was just made leaves no bad credential undecided (R38, R52)', async () => {
  const { rules } = variants.find(
    ({ name }) => name === 'what is new is unknown to Get for two seconds, which calls it invalid',
  )!
  const only = ['identity.get.answers', 'auth.required.get', 'auth.required.get@identities', 'auth.required.get@v1']
  const { report } = await runSuite({
    values: { RMAPI_SEED: '1' },
    selection: { ...everything, only },
    embedded: { rules },
  })
  const undecided = report.requirements.filter(({ outcome }) => outcome !== 'pass')

  expect(undecided.map(({ id, note }) => `${id}: ${note}`)).toEqual([])
})
