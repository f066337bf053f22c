import { expect } from 'vitest'
import { ConfigurationError, type Values } from '../../helpers/settings/configuration.ts'
import { readConfig } from '../../helpers/settings/read-configuration.ts'

/** Shared by the tests of settings. */
export const enough: Values = {
  RMAPI_BASE_URL: 'https://api.example',
  RMAPI_GROUP_UID: '3f2a/0b1c',
  RMAPI_ACCESS_TOKEN: 'secret-token',
}

/** Shared by the tests of settings. */
export function problemsOf(values: Values): string[] {
  try {
    readConfig(values)
    return []
  } catch (error) {
    expect(error).toBeInstanceOf(ConfigurationError)
    return (error as ConfigurationError).problems
  }
}
