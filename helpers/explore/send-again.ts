import { present } from '../../schemas/present.ts'
import type { RecordedCall } from '../../schemas/types.ts'
import type { Body } from '../api/api.ts'
import { day } from '../api/instant.ts'
import type { Driver } from '../generate/driver.ts'
import type { Answer } from '../http/call.ts'
import type { Query } from '../http/url.ts'
import { filledIn } from './recorded.ts'
import { saidBy } from './recorder.ts'
import type { Ground, Stage } from './stage.ts'

/** Sends calls again in a new stage; returns how many of them went out. */
export async function sendAgain(stage: Stage, calls: readonly RecordedCall[], { roles }: Ground): Promise<number> {
  const { driver, model } = stage
  const values = new Map([
    ['group', driver.scope],
    ['name', driver.mark],
    ['tomorrow', new Date(Date.now() + day).toISOString()],
    ...[...roles].map(([name, uid]) => [`role ${name}`, uid] as const),
  ])
  let sent = 0
  for (const call of calls) {
    const filled = filledIn(call, values)
    const answer = filled && (await driver.send(() => asked(driver, filled)))
    if (answer === undefined) continue
    sent++
    for (const [member, value] of Object.entries(saidBy(answer))) values.set(`${call.number}.${member}`, value)
    // what may lag is read again before anything else changes it
    if (call.does === 'get' || call.does === 'list') await model.settled()
  }
  return sent
}

/** The call in the API of its version; a write goes where the journal allows it. */
function asked(
  { api, v1 }: Driver,
  { does, kind, version, uid = '', query, body, contentType }: RecordedCall,
): Promise<Answer> {
  const sent = body as Body
  const attempt = present({ query, contentType })
  if (does === 'list') return version === 'v1' ? v1.list(query as Query) : api[kind].list(query as Query)
  if (version === undefined) {
    if (does === 'get') return api[kind].get(uid, attempt)
    if (does === 'delete') return api[kind].delete(uid, attempt)
    return does === 'create' ? api[kind].create(uid, sent, attempt) : api[kind].update(uid, sent, attempt)
  }
  if (does === 'get') return v1.get(uid)
  if (does === 'delete') return v1.delete(uid)
  return does === 'create' ? v1.create(uid, sent) : v1.replace(uid, sent)
}
