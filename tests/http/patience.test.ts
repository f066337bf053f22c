import { describe, expect } from 'vitest'
import { tokenSource } from '../../helpers/http/access-token.ts'
import type { Answer } from '../../helpers/http/call.ts'
import { Inconclusive } from '../../helpers/http/case-errors.ts'
import { Secrets } from '../../helpers/http/secrets.ts'
import { configFor, test } from '../support/runs/servers.ts'

describe.concurrent('patience', () => {
  /** Answers with this until so many calls have come. */
  const busy = (status: number, headers: Record<string, string>, times: number) => {
    let calls = 0
    return (_: unknown, response: import('node:http').ServerResponse) => {
      if (++calls > times) return response.writeHead(200).end('{}')
      return response.writeHead(status, headers).end()
    }
  }
  const timed = async (call: () => Promise<Answer>) => {
    const started = performance.now()
    const { status } = await call()
    return { status, ms: performance.now() - started }
  }

  test('a 429 without Retry-After holds every call back for a second', async ({ calling }) => {
    const { get, post, client, log } = await calling(busy(429, {}, 1))

    const first = await timed(post)
    const other = timed(get)

    expect(first.status).toBe(200)
    expect(first.ms).toBeGreaterThan(950)
    expect((await other).status).toBe(200)
    expect(client.throttled).toBe(1)
    expect(log.exchanges.map(({ response }) => response!.status)).toEqual([200, 200])
  })

  test('Retry-After says how long, in seconds or as a date by the clock of the target', async ({ calling }) => {
    const then = new Date('2031-01-01T00:00:00Z')
    const date = { date: then.toUTCString(), 'retry-after': new Date(+then + 1000).toUTCString() }
    const [now, dated] = [await calling(busy(503, { 'retry-after': '0' }, 2)), await calling(busy(429, date, 1))]

    const [soon, later] = await Promise.all([timed(now.post), timed(dated.post)])

    expect([soon.status, later.status]).toEqual([200, 200])
    expect(later.ms).toBeGreaterThan(950)
  })

  test('a token that is refused when it is sent again was used up, and shows nothing', async ({ calling }) => {
    const inTurn = (...answers: ((response: import('node:http').ServerResponse) => void)[]) => {
      const rest = [...answers]
      return (_: unknown, response: import('node:http').ServerResponse) => rest.shift()!(response)
    }
    const refuses = (response: import('node:http').ServerResponse) => response.writeHead(400).end('{}')
    const givesUp = (response: import('node:http').ServerResponse) => response.writeHead(504).end()
    const cuts = (response: import('node:http').ServerResponse) => {
      response.writeHead(200, { 'content-length': '50' }).write('{')
      setTimeout(() => response.destroy(), 20)
    }
    const list = { operation: 'group.list', method: 'GET', path: '/', query: { page_token: 'a' } } as const

    const exchange = { operation: 'sts.exchange', method: 'GET', at: 'auth', path: '/' } as const

    for (const first of [givesUp, cuts]) {
      const [paged, exchanging] = [await calling(inTurn(first, refuses)), await calling(inTurn(first, refuses))]
      await expect(paged.client.send(list, paged.log)).rejects.toThrow(Inconclusive)
      await expect(exchanging.client.send(exchange, exchanging.log)).rejects.toThrow(Inconclusive)
    }
    const { client, log } = await calling(inTurn(refuses))
    expect((await client.send(list, log)).status).toBe(400)
    const bad = await calling(inTurn(cuts, refuses))
    expect((await bad.client.send({ ...list, credential: { shown: 'none' } }, bad.log)).status).toBe(400)
  })

  test('a call that is forbidden too early is made again, and its refusals are not kept', async ({ calling }) => {
    const { get, client, log } = await calling(busy(403, {}, 2))
    client.isTooEarly = (_, { status }) => status === 403

    expect((await get()).status).toBe(200)
    expect(log.exchanges.map(({ response }) => response!.status)).toEqual([200])
  })

  test('the exchange that gives the run its token is asked again while it is busy', async ({ serve }) => {
    let calls = 0
    const authUrl = await serve((_, response) => {
      calls++
      if (calls < 3) response.writeHead(503, { 'retry-after': '0' }).end()
      else response.writeHead(200).end('{"token":"an-api-token"}')
    })
    const credentials = { identityUid: 'i', audience: 'a', identityToken: { value: 'an-identity-token' } }
    const source = tokenSource(configFor(authUrl, { credentials }), new Secrets())

    expect(await source.value()).toBe('an-api-token')
    expect(calls).toBe(3)
  })

  /** Refuses with these in turn, then answers. */
  const refusing = (...refusals: [number, number?][]) => {
    let calls = 0
    const handler = (_: unknown, response: import('node:http').ServerResponse) => {
      const [status, code] = refusals[calls++] ?? [200]
      response.writeHead(status).end(JSON.stringify(code === undefined ? {} : { code }))
    }
    return { handler, calls: () => calls }
  }

  test('a write that met with another one is sent again', async ({ calling }) => {
    const { handler, calls } = refusing([409], [400, 10])
    const { post } = await calling(handler)

    expect((await post()).status).toBe(200)
    expect(calls()).toBe(3)
  })

  test('so is a reading, except from a page token, which may work only once', async ({ calling }) => {
    const list = { operation: 'group.list', method: 'GET', path: '/' } as const
    const [whole, page] = [refusing([409, 10], [400, 10]), refusing([409, 10], [400, 10])]
    const [reading, paging] = [await calling(whole.handler), await calling(page.handler)]

    expect((await reading.client.send(list, reading.log)).status).toBe(200)
    expect((await paging.client.send({ ...list, query: { page_token: 'a' } }, paging.log)).status).toBe(409)
  })

  test.for([
    ['a name that is taken', 409, 6],
    ['a group that is full', 400, 9],
  ] as const)('%s is no such conflict', async ([, status, code], { calling }) => {
    const { handler, calls } = refusing([status, code])
    const { post } = await calling(handler)

    expect((await post()).status).toBe(status)
    expect(calls()).toBe(1)
  })

  test('a bad name that is refused as taken has met with another write', async ({ calling }) => {
    const { handler, calls } = refusing([409, 6], [400, 3])
    const { client, log } = await calling(handler)
    const call = { operation: 'group.create', method: 'POST', path: '/', body: { name: 'Bad@' } } as const

    expect((await client.send(call, log)).status).toBe(400)
    expect(calls()).toBe(2)
  })

  test.for(['group', 'grpc.group', 'v1.group'])(
    'a name of a %s is taken only if it was given before',
    async (kind, { calling }) => {
      const { handler, calls } = refusing([409, 6], [201, 0], [409, 6])
      const { client, log } = await calling(handler)
      const create = () =>
        client.send({ operation: `${kind}.create`, method: 'POST', path: '/', body: { name: 'new' } }, log)

      expect((await create()).status).toBe(201)
      expect(calls()).toBe(2)
      expect((await create()).status).toBe(409)
      expect(calls()).toBe(3)
    },
  )

  test('a create that alone is refused has met a quota, and is not waited for to the end', async ({ calling }) => {
    const { post } = await calling((request, response) => {
      if (request.method === 'GET') return response.writeHead(200).end('{}')
      return response.writeHead(429).end(JSON.stringify({ code: 8 }))
    })
    const started = performance.now()

    await expect(post()).rejects.toThrow(/4 times while another call was answered: a quota/)
    expect(performance.now() - started).toBeLessThan(10_000)
    await expect(post()).rejects.toThrow('quota')
  })

  test('takes out of the log only what it asks again', async ({ calling }) => {
    const { get, log } = await calling(busy(503, { 'retry-after': '0' }, 20))

    await Promise.all(Array.from({ length: 20 }, (_, index) => get(`/things/${index}`)))
    const urls = log.exchanges.map(({ request }) => request.url.split('/').at(-1))

    expect(urls.map(Number).sort((a, b) => a - b)).toEqual(Array.from({ length: 20 }, (_, index) => index))
  })

  test('where it does not end, the case is inconclusive, and the next one is not kept so long', async ({ calling }) => {
    let calls = 0
    const { get, post } = await calling((_, response) => {
      response.writeHead(503, { 'retry-after': ++calls < 4 ? '0' : '3600' }).end()
    })

    await expect(get()).rejects.toThrow('thing.get was answered 503 4 times: the target is too busy')
    await expect(post()).rejects.toThrow(Inconclusive)
    expect(calls).toBe(5)
  })

  test('where most of those under way are refused, fewer go at once', async ({ calling }) => {
    let [under, most, refused] = [0, 0, 0]
    const { get } = await calling(
      (_, response) => {
        under++
        most = Math.max(most, under)
        const full = under > 5
        if (full) refused++
        setTimeout(() => {
          under--
          response.writeHead(full ? 503 : 200, { 'retry-after': '0' }).end('{}')
        }, 20)
      },
      { concurrency: 32 },
    )
    await Promise.all(Array.from({ length: 64 }, () => get()))
    most = refused = 0

    await Promise.all(Array.from({ length: 64 }, () => get()))

    expect({ most, refused }).toEqual({
      most: expect.toSatisfy((count) => count <= 8),
      refused: expect.toSatisfy((count) => count < 40),
    })
  })

  test('a target that serves one call at a time is not asked for four', async ({ calling }) => {
    let [under, refused] = [0, 0]
    const { get } = await calling(
      (_, response) => {
        const full = ++under > 1
        if (full) refused++
        setTimeout(() => {
          under--
          response.writeHead(full ? 503 : 200, { 'retry-after': '0' }).end('{}')
        }, 5)
      },
      { concurrency: 32 },
    )
    const ask = () => Promise.allSettled(Array.from({ length: 100 }, () => get()))
    await ask()
    refused = 0

    const settled = await ask()

    expect(refused).toBeLessThan(10)
    expect(settled.every(({ status }) => status === 'fulfilled')).toBe(true)
  })

  test.for([502, 504])(
    '%i is asked again on a GET alone, and leaves a write undecided',
    async (status, { calling }) => {
      const { get, post } = await calling(busy(status, { 'retry-after': '0' }, 2))

      await expect(post()).rejects.toBeInstanceOf(Inconclusive)
      expect((await get()).status).toBe(200)
    },
  )
})
