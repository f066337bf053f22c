import type { Rules } from '../rules.types.ts'

/** The rules about API tokens (S5.1, R39). */
export const authenticationRules = {
  needsToken: () => true,
  unauthenticated: () => undefined,
  credential: (headers) => /^bearer +([^ ]+)$/i.exec(headers.authorization ?? '')?.[1],
  authenticate: (token, reader) => reader.verified(token),
} satisfies Partial<Rules>
