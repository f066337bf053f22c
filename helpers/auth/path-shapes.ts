import type { Call } from '../http/call.ts'

/** The version and the kind in a path. */
const kind = /(\/v\w+)\/(\w)(\w+)/

/** Other spellings of a path that a lenient router may accept: a guard of one must guard all of them (R39). */
const shapes: Record<string, (path: string) => string> = {
  'escaped slashes': (path) => path.replace(/(?<=\/v\w+\/\w+\/.*)\//g, '%2F'),
  'a trailing slash': (path) => `${path}/`,
  'two slashes': (path) => path.replace(kind, '$1//$2$3'),
  'two slashes in front': (path) => `/${path}`,
  'an escaped letter': (path) =>
    path.replace(kind, (_, version, first, rest) => `${version}/%${first.charCodeAt(0).toString(16)}${rest}`),
  'a capital letter': (path) =>
    path.replace(kind, (_, version, first, rest) => `${version}/${first.toUpperCase()}${rest}`),
  'the family in capitals': (path) => path.replace(/^\/\w+/, (family) => family.toUpperCase()),
  'the version in capitals': (path) =>
    path.replace(kind, (all, version) => all.replace(version, version.toUpperCase())),
  'a dot segment': (path) => path.replace(kind, '$1/%2e/$2$3'),
  'a parameter in the path': (path) => path.replace(kind, '$1/$2$3;a=b'),
  'a suffix': (path) => `${path}.json`,
  'another version': (path) => path.replace(kind, (_, version, ...name) => `${other(version)}/${name[0]}${name[1]}`),
}

const other = (version: string) => (version === '/v2' ? '/v2beta1' : '/v2')

/** A call in each of these spellings of its path. */
export function inOtherShapes(call: Call): Call[] {
  return Object.values(shapes).map((shape) => ({ ...call, path: shape(call.path) }))
}
