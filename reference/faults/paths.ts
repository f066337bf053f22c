/** The uid at the end of a path, decoded; '' where there is none or it cannot be read. */
export function uidIn(url = ''): string {
  try {
    return decodeURIComponent(/\/v[12](?:beta1)?\/[a-zA-Z]+\/([^?]+)/.exec(url)?.[1] ?? '')
  } catch {
    return ''
  }
}

/** A parameter of an address. */
export const parameterIn = (url: string | undefined, name: string) =>
  new URL(url ?? '', 'http://localhost').searchParams.get(name)
