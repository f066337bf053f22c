import type { Call } from '../http/call.ts'

/** Other ways to write a path that a lenient router may take for the same: what guards one must guard them all (R39). */
const shapes: Record<string, (path: string) => string> = {
  'escaped slashes': (path) => path.replace(/(?<=groups\/.*)\//g, '%2F'),
  'a trailing slash': (path) => `${path}/`,
  'two slashes': (path) => path.replace('/groups', '//groups'),
  'two slashes in front': (path) => `/${path}`,
  'an escaped letter': (path) => path.replace('/groups', '/%67roups'),
  'a capital letter': (path) => path.replace('/groups', '/Groups'),
  'a dot segment': (path) => path.replace('/groups', '/%2e/groups'),
  'a parameter in the path': (path) => path.replace('/groups', '/groups;a=b'),
  'a suffix': (path) => `${path}.json`,
}

/** A call with its path written in each of these ways. */
export function inOtherShapes(call: Call): Call[] {
  return Object.values(shapes).map((shape) => ({ ...call, path: shape(call.path) }))
}
