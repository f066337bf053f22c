import { accepted, refused } from '../../helpers/assertions/refused.ts'
import { requirement } from '../../helpers/case/requirement.ts'

const matching = 'anyone who holds a token with matching claims may assume the identity'

for (const [id, level, says, when, beside] of [
  [
    'sts.match.updated',
    'must',
    'An updated claim match accepts the new subject and refuses the old one',
    'in time',
    () => ({}),
  ],
  ['sts.match.updated.at-once', 'should', 'An updated claim match takes effect at once', 'at once', () => ({})],
  [
    'sts.match.updated.together',
    'must',
    'A claim match that is updated together with the name accepts the new subject and refuses the old one',
    'in time',
    (name: string) => ({ name, description: 'renewed together' }),
  ],
] as const) {
  requirement(
    {
      id,
      level,
      statement: 'S2.11, S5.3, R41',
      quote: matching,
      restsOn: ['sts.refuses.subject-other'],
      says,
    },
    async ({ sts, names }) => {
      const subject = `renewed-${sts.match.subject}`
      accepted(await sts.exchange(), 'the subject of the claim match before its update')
      await sts.rematch(subject, beside(names.fresh()))

      await sts.takesEffect(when, async () => {
        const [old, renewed] = await Promise.all([
          sts.exchange(),
          sts.exchange({ token: await sts.sign({ sub: subject }) }),
        ])
        refused(old, 'the subject of the claim match before its update')
        accepted(renewed, 'the subject of the claim match after its update')
      })
    },
  )
}
