import type { Fields } from './item.ts'
import type { Refusal } from './refusal.ts'
import type { Context } from './service.ts'

/** The error body of a refusal (S7.1). */
export function errorBody(refusal: Refusal, at: Context): Fields {
  const { rules } = at.world
  const info = { reason: rules.errorReason(refusal, at), domain: rules.errorDomain(at) }
  return {
    code: rules.errorCode(refusal, at),
    message: rules.errorMessage(refusal, at),
    details: rules.errorDetails(refusal, info, at),
  }
}
