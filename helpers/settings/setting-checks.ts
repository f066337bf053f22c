import type { Complain, Values } from './configuration.ts'
import type { SettingName } from './settings.ts'

/** An http or https address without a trailing slash; '' where none is set. */
export function address(values: Values, name: SettingName, complain: Complain): string {
  const value = values[name]
  if (!value) return ''
  const url = URL.canParse(value) ? new URL(value) : undefined
  const shown = value.replace(/\/\/.*@/, '//…@').replace(/[?#].*/, '…')
  if (url === undefined || !/^https?:$/.test(url.protocol))
    complain(name, `is '${shown}', not an http or https address`)
  else if (url.username || url.password)
    complain(name, 'holds a user name or password: put what a gateway wants into RMAPI_HEADERS_FILE')
  else if (url.search || url.hash) complain(name, `is '${shown}': a query or fragment cannot stand in it`)
  return value.replace(/\/+$/, '')
}

/** Complains about a token that no header can carry. */
export function mustFitHeader(name: SettingName, token: string, complain: Complain): void {
  if (/[^\x21-\x7e]/.test(token)) complain(name, 'holds a space or a character that no header can carry')
}
