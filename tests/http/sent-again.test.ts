import type { ServerResponse } from 'node:http'
import { describe, expect } from 'vitest'
import { share } from '../../helpers/arrange/shared.ts'
import type { Log } from '../../helpers/http/call.ts'
import { onceAllowed, wasSentAgain } from '../../helpers/http/waits.ts'
import { test } from '../support/runs/servers.ts'

describe.concurrent('what a proxy answered 503 and is sent again (R43)', () => {
  const first = (headers: Record<string, string>) => {
    let calls = 0
    return (_: unknown, response: ServerResponse) => response.writeHead(++calls === 1 ? 503 : 200, headers).end('{}')
  }

  test.for([
    ['a write may have taken effect twice', 'post', {}, true],
    ['even where it was asked to wait', 'post', { 'retry-after': '0' }, true],
    ['no reading', 'get', {}, false],
  ] as const)('%s', async ([, method, headers, wanted], { calling }) => {
    const target = await calling(first(headers))

    const { exchange } = await target[method]()

    expect(wasSentAgain(exchange)).toBe(wanted)
    expect(wasSentAgain((await target[method]()).exchange)).toBe(false)
  })

  test('what it finds gone is not asked for again', async ({ calling }) => {
    let calls = 0
    const target = await calling((_, response) => response.writeHead(++calls === 1 ? 503 : 404).end('{}'))
    const log: Log = { phase: 'act', exchanges: [] }

    const { exchange } = await onceAllowed(log, () => calls < 9, target.post)

    expect(wasSentAgain(exchange)).toBe(true)
    expect(calls).toBe(2)
  })

  test('it is shown to every case that reads what was made', async ({ calling }) => {
    const { post } = await calling(first({}))

    const shared = await share(async ({ exchanges }) => {
      for (let calls = 0; calls < 2; calls++) exchanges.push((await post()).exchange)
    })

    expect(shared.exchanges).toHaveLength(1)
  })
})
