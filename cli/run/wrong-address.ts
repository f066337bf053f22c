import { isObject, isReceived } from '../../helpers/api/received.ts'
import { noSuchGroup } from '../../helpers/arrange/scratch.ts'
import { readJson } from '../../helpers/http/body.ts'
import type { Case } from '../../schemas/types.ts'

/** The answer to one look at an address, or why there is none. */
export type Came = { status: number; location?: string; bytes?: Buffer } | { silence: string }

/** The first look at a target: at the operator's group, and at lists that every target has. */
export interface Looks {
  get: Came
  list: Came
  /** The list of roles, which needs no scope (S4.4). */
  roles: Came
}

/** True if an answer is one that this API may give: a group, or a list with its array or its total. */
function isOfThisApi(came: Came, plural: string): boolean {
  if (!('status' in came) || came.status < 200 || came.status > 299) return false
  const { json } = readJson(came.bytes ?? Buffer.from(''))
  return isReceived(json) || (isObject(json) && (Array.isArray(json[plural]) || 'totalCount' in json))
}

/** True if at least one look shows this API: whatever else is wrong with it is a finding. */
export function showsThisApi({ get, list, roles }: Looks): boolean {
  return isOfThisApi(get, 'groups') || isOfThisApi(list, 'groups') || isOfThisApi(roles, 'roles')
}

/** The answer to every call there, in words; undefined if the answers differ, or none is complete. */
export function sameForEverything({ get, list, roles }: Looks): string | undefined {
  const all = [get, list, roles].map(inWords)
  const same = all[0]
  if (same === undefined || !all.every((words) => words === same)) return undefined
  const page = same.includes('HTML') ? undefined : pageIn(get)
  return page === undefined ? same : `${same} and ${page}`
}

/** The HTML page in an answer, with its title; undefined for another body. */
export function pageIn(came: Came): string | undefined {
  const { text } = readJson(('bytes' in came && came.bytes) || Buffer.from(''))
  if (!/<(!doctype|html|body|h1)/i.test(text)) return undefined
  const [, title] = /<title[^>]*>([^<]{1,80})/i.exec(text) ?? []
  return `an HTML page${title === undefined ? '' : ` called '${title.trim()}'`}`
}

function inWords(came: Came): string | undefined {
  if (!('status' in came) || came.bytes === undefined) return undefined
  const { status, bytes } = came
  // a refusal may name what was asked for
  if (status >= 400) return String(status)
  const { text, json } = readJson(bytes)
  if (json !== undefined) return `${status} ${text.trim().slice(0, 60)}`
  if (text.trim() === '') return `${status} and an empty body`
  return `${status} and ${pageIn(came) ?? 'a body that is not JSON'}`
}

/** True if the operator's group is not there, although the rest of the API is. */
export function lacksGroup({ get, list, roles }: Looks): boolean {
  return [get, list].every((came) => 'status' in came && came.status === 404) && isOfThisApi(roles, 'roles')
}

/** Why nothing could be made if the operator's group turned out not to exist; undefined if it does (R38). */
export function groupWasMissing(cases: readonly Case[], groupUid: string): string | undefined {
  const why = noSuchGroup(groupUid)
  return cases.some(({ ending }) => 'note' in ending && ending.note === why) ? why : undefined
}
