import type { IncomingMessage, ServerResponse } from 'node:http'
import { expect } from 'vitest'
import type { Call } from '../../helpers/http/call.ts'
import { TokenSpent } from '../../helpers/http/case-errors.ts'
import { unlessRepeated } from '../../helpers/http/unanswered.ts'
import { test } from '../support/runs/servers.ts'

const exchangeOf = (header: string): Call => ({
  operation: 'sts.exchange',
  method: 'GET',
  at: 'auth',
  path: '/',
  credential: { header, shown: 'a token' },
})

const asks = (response: ServerResponse) => response.writeHead(429, { 'retry-after': '0' }).end()
const cuts = (response: ServerResponse) => response.destroy()

/** A target that answers its first call so, and from then on takes each token once. */
function once(first: (response: ServerResponse) => void) {
  const seen: (string | undefined)[] = []
  const serve = ({ headers }: IncomingMessage, response: ServerResponse) => {
    const isUsed = seen.includes(headers.authorization)
    seen.push(headers.authorization)
    if (seen.length === 1) return first(response)
    return response.writeHead(isUsed ? 401 : 200).end('{}')
  }
  return { seen, serve }
}

test('a call that can be renewed is sent again with another token', async ({ calling }) => {
  for (const first of [asks, cuts]) {
    const { seen, serve } = once(first)
    const { client, log } = await calling(serve)
    const numbered = (number: number): Call => ({
      ...exchangeOf(`Bearer ${number}`),
      renewed: async () => numbered(number + 1),
    })

    expect((await client.send(numbered(1), log)).status).toBe(200)
    expect(seen.at(-1)).toBe('Bearer 2')
  }
})

test('a token that its source gives again shows nothing when it is refused', async ({ calling }) => {
  for (const first of [asks, cuts]) {
    const { client, log } = await calling(once(first).serve)
    const repeated = (): Call => {
      const call = exchangeOf('Bearer the same')
      return { ...call, renewed: async () => unlessRepeated(call, repeated()) }
    }

    await expect(client.send(repeated(), log)).rejects.toThrow(TokenSpent)
  }
})
