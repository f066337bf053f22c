import { clientsMistake, refused } from '../../helpers/assertions/refused.ts'
import { requirement } from '../../helpers/case/requirement.ts'
import { succeeded } from '../../helpers/http/call.ts'
import { forgedExchanges } from '../../helpers/sts/forged-exchanges.ts'

const profile = 'sts'

for (const [name, { words, wishes }] of Object.entries(forgedExchanges)) {
  requirement(
    {
      id: `sts.refuses.${name}`,
      level: 'must',
      statement: 'S2.11, S5.3, R41',
      quote: 'anyone who holds a token with matching claims may assume the identity',
      restsOn: ['sts.refuses.other-key'],
      says: `An exchange with ${words} is refused`,
      profile,
    },
    async ({ exchanging }) => {
      const answers = await exchanging.besideGood(() => wishes(exchanging))

      for (const answer of answers) refused(answer, `an exchange with ${words}`)
    },
  )
}

requirement(
  {
    id: 'sts.refusal.status',
    level: 'should',
    statement: 'S5.3, S7.1, R33, R41',
    quote: 'A workload exchanges the token of its identity provider',
    says: 'An exchange refused for a mistake of the caller gets a 4xx status',
    profile,
  },
  async ({ exchanging, atLeast }) => {
    const { garbage, 'no-token': none, 'unknown-identity': unknown } = forgedExchanges
    const wishes = () => Promise.all([garbage!, none!, unknown!].map(({ wishes }) => wishes(exchanging)))

    const answers = await exchanging.besideGood(async () => (await wishes()).flat())

    atLeast(1, 'refused exchanges', answers.filter((each) => !succeeded(each)).length)
    for (const answer of answers.filter((each) => !succeeded(each))) clientsMistake(answer, 'a refused exchange')
  },
)
