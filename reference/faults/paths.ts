/** The uid at the end of a path, decoded; '' where there is none or it cannot be read. */
export function uidIn(url = ''): string {
  try {
    return decodeURIComponent(/\/v[12](?:beta1)?\/[a-zA-Z]+\/([^?]+)/.exec(url)?.[1] ?? '')
  } catch {
    return ''
  }
}
