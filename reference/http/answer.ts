import { errorBody } from '../domain/error-body.ts'
import { type Exchanger, exchange } from '../domain/exchange.ts'
import type { Fields } from '../domain/item.ts'
import { Refusal } from '../domain/refusal.ts'
import type { Context } from '../domain/service.ts'
import type { Answer, TokenReader } from '../rules/values.ts'
import { type Call, single } from './call.ts'
import { perform } from './perform.ts'

/** Answers a call: authentication first, then the operation (S5.1). */
export async function answer(call: Call, reader: TokenReader, asked: Context): Promise<Answer> {
  const { rules } = asked.world
  let at = asked
  try {
    const caller = rules.needsToken(at)
      ? await authenticated(call, reader, at).catch((error) => {
          rules.unauthenticated(call.rawUid, call.body, at)
          throw error
        })
      : at.world.operator
    at = { ...at, caller }
    return succeeded(await perform(call, at), at)
  } catch (error) {
    return refused(error, at)
  }
}

/** Answers a token exchange: its credential is an identity token (S5.3). */
export async function answerExchange({ headers, query }: Call, exchanger: Exchanger, at: Context): Promise<Answer> {
  const token = at.world.rules.credential(headers, query, at)
  try {
    const [audience, identity] = [single(query, 'aud'), single(query, 'identity')]
    return succeeded(await exchange({ audience, identity, token }, exchanger, at), at)
  } catch (error) {
    return refused(error, at)
  }
}

function succeeded(body: Fields | undefined, at: Context): Answer {
  const { rules } = at.world
  return rules.render({ status: rules.successStatus(at), headers: {}, body }, at)
}

/** A refusal with its error body (S7.1). */
function refused(error: unknown, at: Context): Answer {
  const { rules } = at.world
  const refusal = error instanceof Refusal ? error : new Refusal('internal', 'server', String(error))
  const headers: Record<string, string> = refusal.problem === 'unauthenticated' ? { 'www-authenticate': 'Bearer' } : {}
  return rules.render({ status: rules.errorStatus(refusal, at), headers, body: errorBody(refusal, at) }, at)
}

async function authenticated(call: Call, reader: TokenReader, at: Context) {
  const { rules } = at.world
  const token = rules.credential(call.headers, call.query, at)
  const caller = token === undefined ? undefined : await rules.authenticate(token, reader, at)
  if (!caller) throw new Refusal('unauthenticated', 'authorization', 'a valid bearer token is required')
  return caller
}
