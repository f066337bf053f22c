import type { Complain, Values } from './configuration.ts'
import type { SettingName } from './settings.ts'

/** An http or https URL without a trailing slash; '' where it is not set. */
export function address(values: Values, name: SettingName, complain: Complain): string {
  const value = values[name]
  if (!value) return ''
  const url = URL.canParse(value) ? new URL(value) : undefined
  const shown = withoutSecret(value)
  if (url === undefined || !/^https?:$/.test(url.protocol))
    complain(name, `is '${shown}', not an http or https address`)
  else if (url.username || url.password)
    complain(name, 'holds a user name or password: put what a gateway wants into RMAPI_HEADERS_FILE')
  else if (url.search || url.hash) complain(name, `is '${shown}': a query or fragment is not allowed`)
  return value.replace(/\/+$/, '')
}

/** An address without what may be a password or a key in it. */
export const withoutSecret = (url: string) => url.replace(/\/\/.*@/, '//…@').replace(/[?#].*/, '…')

/** Where a token goes, or with headers for a gateway other secrets. */
const withTokens = ['RMAPI_BASE_URL', 'RMAPI_AUTH_URL', 'RMAPI_GRPC_URL'] as const

/** Complains about a URL to which secrets would go unencrypted, unless that is wanted. */
export function mustNotLeak(values: Values, hasHeaders: boolean, complain: Complain): void {
  const { RMAPI_INSECURE_HTTP: wanted } = values
  if (wanted !== undefined && !['true', 'false', '1', '0'].includes(wanted))
    complain('RMAPI_INSECURE_HTTP', `is '${wanted}', neither true nor false`)
  if (wanted === 'true' || wanted === '1') return
  for (const name of [...withTokens, ...(hasHeaders ? (['RMAPI_CLOCK_URL'] as const) : [])]) {
    const value = values[name]
    const url = value && URL.canParse(value) ? new URL(value) : undefined
    if (url?.protocol === 'http:' && !isLoopback(url.hostname))
      complain(
        name,
        'is plain http to another machine, where anybody on the way can read the token: use https, or add --insecure-http (RMAPI_INSECURE_HTTP=true)',
      )
  }
}

/** What is wrong with the proxy that the environment names, which may hold a password. */
export function proxyProblems({ https_proxy, HTTPS_PROXY, http_proxy, HTTP_PROXY }: NodeJS.ProcessEnv): string[] {
  const named = { HTTPS_PROXY: https_proxy ?? HTTPS_PROXY, HTTP_PROXY: http_proxy ?? HTTP_PROXY }
  return Object.entries(named).flatMap(([name, value]) => {
    const isAddress = !value || (URL.canParse(value) && /^(https?|socks5?):$/.test(new URL(value).protocol))
    return isAddress ? [] : [`${name} is not the address of a proxy, for example ${name}=http://proxy.example:3128`]
  })
}

/** True for this machine: `localhost`, 127.0.0.0/8 and ::1. */
function isLoopback(host: string): boolean {
  return /^(localhost|.+\.localhost|127(\.\d{1,3}){3}|\[::1\]|\[::ffff:7f[0-9a-f]{2}:[0-9a-f]{1,4}\])$/i.test(host)
}
