import { Secrets } from '../../helpers/http/secrets.ts'
import type { Config } from '../../helpers/settings/configuration.ts'
import type { Report } from '../../schemas/types.ts'

/** The operator's secrets, which are removed from everything that is written. */
export function secretsOf({ target, credentials, sts }: Config): Secrets {
  const secrets = new Secrets()
  if ('accessToken' in credentials) secrets.hide(credentials.accessToken, '$RMAPI_ACCESS_TOKEN')
  for (const { identityToken } of [credentials, sts.assumed].flatMap((each) =>
    each && 'identityToken' in each ? each : [],
  ))
    if ('value' in identityToken) secrets.hide(identityToken.value, '$RMAPI_IDENTITY_TOKEN')
  for (const [name, value] of Object.entries(target.headers)) secrets.hide(value, `<${name}>`)
  return secrets
}

/** The members of a row whose words are the suite's own: a token that equals one of them must not change it. */
const ownMembers = ['id', 'level', 'profile', 'statement', 'quote', 'says', 'section', 'outcome', 'blockedBy']

/** A report without the operator's secrets: the last gate before anything is written. */
export function withoutSecrets(report: Report, config: Config): Report {
  const secrets = secretsOf(config)
  const { requirements, problems, left, ...facts } = report
  const { cases } = report
  return {
    ...facts,
    requirements: requirements.map((each) => secrets.redactBut(each, ownMembers)),
    // several places may notice one problem
    problems: [...new Set(secrets.redactAll(problems))],
    left: secrets.redactAll(left),
    ...(cases === undefined ? {} : { cases: cases.map((each) => secrets.redactBut(each, ['header'])) }),
  }
}
