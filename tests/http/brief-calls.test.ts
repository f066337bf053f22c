import { expect } from 'vitest'
import { Inconclusive } from '../../helpers/http/case-errors.ts'
import { test } from '../support/runs/servers.ts'

test('what may be refused so for ever is made again a few times, and after that was in vain once only', async ({
  calling,
}) => {
  let calls = 0
  const { client, log } = await calling((_, response) => {
    calls += 1
    response.writeHead(503, { 'retry-after': '0' }).end()
  })
  const exchange = { operation: 'sts.exchange', method: 'GET', at: 'auth', path: '/', brief: true } as const

  await expect(client.send(exchange, log)).rejects.toThrow(Inconclusive)
  expect(calls).toBe(4)
  await expect(client.send({ ...exchange, path: '/other' }, log)).rejects.toThrow(Inconclusive)
  expect(calls).toBe(5)
})
