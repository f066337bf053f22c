import { expect } from 'vitest'
import { ConfigurationError, type Values } from '../../helpers/settings/configuration.ts'
import { readConfig } from '../../helpers/settings/read-configuration.ts'

/** The settings that a target needs at least. */
export const enough: Values = {
  RMAPI_BASE_URL: 'https://api.example',
  RMAPI_GROUP_UID: '3f2a/0b1c',
  RMAPI_ACCESS_TOKEN: 'secret-token',
}

/** What a configuration is refused for. */
export function problemsOf(values: Values): string[] {
  try {
    readConfig(values)
    return []
  } catch (error) {
    expect(error).toBeInstanceOf(ConfigurationError)
    return (error as ConfigurationError).problems
  }
}
