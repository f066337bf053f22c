import { got } from '../../helpers/arrange/optional-operations.ts'
import { same } from '../../helpers/assertions/equal.ts'
import { requirement } from '../../helpers/case/requirement.ts'
import { succeeded } from '../../helpers/http/call.ts'

requirement(
  {
    id: 'identity.update.atomic',
    level: 'must',
    statement: 'S4.26, S4.3, R29',
    quote: 'A refused PATCH must change no field',
    says: 'A refused Update of an identity changes nothing',
  },
  async ({ api, scratch, eventually, atLeast }) => {
    const bodies = [{ name: '' }, { name: 5 }, { claimMatch: 'text' }, { claimMatch: [] }]
    const made = await Promise.all(bodies.map(() => scratch.makeIdentity()))
    const before = await eventually(() => Promise.all(made.map(({ uid }) => got(api, 'identities', uid))))

    const answers = await Promise.all(
      bodies.map((body, index) =>
        api.attempt.identities.update(made[index]!.uid, { description: 'half done', ...body }),
      ),
    )
    const kept = before.filter((_, index) => !succeeded(answers[index]!))
    atLeast(1, 'refused updates', kept.length)

    await eventually(async () => {
      for (const identity of kept) same(await got(api, 'identities', identity.uid), identity, 'updateTime')
    })
  },
)
