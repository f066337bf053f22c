import { bodyAs, sideBySide } from '../../helpers/arrange/observed.ts'
import { outcomeOf } from '../../helpers/assertions/refused.ts'
import { requirement } from '../../helpers/case/requirement.ts'

requirement(
  {
    id: 'error.missing.status',
    level: 'observe',
    statement: 'S7.1, R38',
    quote: 'The body of an error is a JSON object',
    says: 'How Get of an unknown group is answered',
  },
  async ({ api, scratch, observe }) => {
    const answer = await api.attempt.groups.get(`${scratch.uid}/00000000000000aa`)

    observe(`${outcomeOf(answer)}, ${answer.headers['content-type'] ?? 'no content type'}`)
  },
)

requirement(
  {
    id: 'error.missing.kinds',
    level: 'observe',
    statement: 'S7.1, R38, R49',
    quote: 'The body of an error is a JSON object',
    says: 'How Get of an unknown identity, role or role binding is answered',
    profile: 'identities',
  },
  async ({ api, scratch, observe }) => {
    const unknown = `${scratch.uid}/00000000000000aa`
    const { identities, roles, roleBindings } = api.attempt

    observe(
      await sideBySide({
        identity: identities.get(unknown),
        role: roles.get('00000000000000aa'),
        'role binding': roleBindings.get(unknown),
      }),
    )
  },
)

requirement(
  {
    id: 'error.missing.elsewhere',
    level: 'observe',
    statement: 'S7.1, S5.8, R38',
    quote: 'The body of an error is a JSON object',
    says: 'How a missing group elsewhere is answered, compared to one within reach',
  },
  async ({ api, scratch, observe }) => {
    const here = await api.attempt.groups.get(`${scratch.uid}/00000000000000aa`)
    const elsewhere = await api.attempt.groups.get('00000000000000000000000000000000000000aa')

    const alike = outcomeOf(here) === outcomeOf(elsewhere) ? 'alike' : `unlike: ${outcomeOf(elsewhere)}`
    observe(`${outcomeOf(here)}, ${bodyAs(here)}; elsewhere ${alike}`)
  },
)
