import { answerRules } from './rules/answers.ts'
import { authenticationRules } from './rules/authentication.ts'
import { deleteRules } from './rules/deletes.ts'
import { errorRules } from './rules/errors.ts'
import { exchangeRules } from './rules/exchange.ts'
import { fieldRules } from './rules/fields.ts'
import { grpcRules } from './rules/grpc.ts'
import { listRules } from './rules/lists.ts'
import { pageTokenRules } from './rules/page-tokens.ts'
import { readingRules } from './rules/reading.ts'
import { updateRules } from './rules/updates.ts'
import { versionRules } from './rules/versions.ts'
import type { Rules } from './rules.types.ts'

/** The rules as the contract has them. */
export const contract: Rules = {
  ...fieldRules,
  ...answerRules,
  ...readingRules,
  ...listRules,
  ...pageTokenRules,
  ...updateRules,
  ...deleteRules,
  ...versionRules,
  ...errorRules,
  ...authenticationRules,
  ...exchangeRules,
  ...grpcRules,
}
