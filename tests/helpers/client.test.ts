import { SignJWT } from 'jose'
import { describe, expect } from 'vitest'
import type { Answer } from '../../helpers/http/call.ts'
import { Inconclusive, TargetGone } from '../../helpers/http/case-errors.ts'
import { groupUid, test, token } from '../support/servers.ts'

const control = `/iam/v2beta1/groups/${groupUid}`

describe.concurrent('what an exchange shows', () => {
  test('holds no secret, wherever the target put it', async ({ calling }) => {
    const gateway = 'gate"way/secret'
    const { get, log } = await calling(
      ({ headers, url }, response) => {
        const { authorization: auth, 'x-gateway': seen } = headers
        response.writeHead(200, {
          'x-echo': token,
          'set-cookie': 'session=abcdef',
          location: `/login?${encodeURIComponent(token)}`,
        })
        response.end(JSON.stringify({ auth, seen, url, long: ' '.repeat(20_000), token }))
      },
      { headers: { 'X-Gateway': gateway } },
    )

    const answer = await get('/things', { query: { access_token: token } })
    const shown = JSON.stringify(log.exchanges) + answer.text

    for (const secret of [token, gateway])
      for (const form of [secret, encodeURIComponent(secret), JSON.stringify(secret).slice(1, -1)])
        expect(shown).not.toContain(form)
    expect(shown).not.toContain('abcdef')
    expect(log.exchanges[0]!.request).toMatchObject({
      url: expect.stringContaining('?access_token=$RMAPI_ACCESS_TOKEN'),
      headers: { authorization: 'Bearer $RMAPI_ACCESS_TOKEN', 'X-Gateway': '<X-Gateway>' },
    })
    expect(log.exchanges[0]!.response!.body).toMatch(/… \(cut\)$/)
    expect(answer.json).toMatchObject({ auth: `Bearer ${token}`, seen: gateway, token })
  })

  test('is what went out: JSON, and nothing conditional', async ({ calling }) => {
    const { get, post } = await calling(({ headers, method }, response) => {
      response.end(JSON.stringify({ ...headers, method }))
    })

    expect((await get()).json).not.toHaveProperty('content-type')
    expect((await post()).json).toMatchObject({
      method: 'POST',
      'content-type': 'application/json',
      'cache-control': 'no-cache',
      accept: 'application/json',
      authorization: `Bearer ${token}`,
    })
    expect(Object.keys((await get()).json as object).filter((name) => name.startsWith('if-'))).toEqual([])
  })

  test('encodes a query in full, a space as %20', async ({ calling }) => {
    const { get } = await calling(({ url }, response) => response.end(JSON.stringify({ url })))
    const odd = '+ / = % & # ? é'

    const { json } = await get('/things', { query: { page_token: odd, skip: 0, name: undefined, q: '' } })
    const { url } = json as { url: string }

    expect(url).toBe('/things?page_token=%2B%20%2F%20%3D%20%25%20%26%20%23%20%3F%20%C3%A9&skip=0&q=')
    expect(new URL(url, 'http://a').searchParams.get('page_token')).toBe(odd)
  })
})

describe.concurrent('a body', () => {
  test.for([
    ['a byte order mark', '\uFEFF{}', /byte order mark/],
    ['half a character', Buffer.from([0x22, 0xc3, 0x22]), /not UTF-8/],
    ['UTF-16', Buffer.from('{}', 'utf16le'), /not JSON/],
    ['nothing', '', /empty/],
    ['HTML', '<html>', /not JSON/],
    ['two values', '{}{}', /not JSON/],
  ] as [string, string | Buffer, RegExp][])('of %s is no JSON', async ([, body, why], { calling }) => {
    const { get } = await calling((_, response) => response.end(body))

    const { json, notJson } = await get()

    expect(json).toBeUndefined()
    expect(notJson).toMatch(why)
  })

  test('is JSON whatever its white space, escapes and charset', async ({ calling }) => {
    const { get } = await calling((_, response) => {
      response.writeHead(200, { 'content-type': 'text/plain; charset=latin1' })
      response.end('\r\n\t {"n\\u0061me" : "\\ud83d\\ude00é"} \n')
    })

    expect((await get()).json).toEqual({ name: '😀é' })
  })
})

test.concurrent.for([301, 302, 304, 307, 308])('%i is no success, and not followed', async (status, { calling }) => {
  const asked: unknown[] = []
  const { get } = await calling(({ url }, response) => {
    asked.push(url)
    response.writeHead(status, { location: '/elsewhere' }).end()
  })

  expect((await get()).status).toBe(status)
  expect(asked).toEqual(['/things'])
})

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

  test.for([502, 504])('%i is asked again on a GET alone', async (status, { calling }) => {
    const { get, post } = await calling(busy(status, { 'retry-after': '0' }, 2))

    expect((await post()).status).toBe(status)
    expect((await get()).status).toBe(200)
  })

  test('a rate limit spaces the calls', async ({ calling }) => {
    const { get } = await calling((_, response) => response.end('{}'), { rateLimit: 20 })

    const { ms } = await timed(async () => (await Promise.all(Array.from({ length: 9 }, () => get())))[0]!)

    expect(ms).toBeGreaterThan(350)
  })

  test('no more calls are under way than may be', async ({ calling }) => {
    let most = 0
    // none is answered before there are three: with fewer under way this would never end
    const waiting: (() => void)[] = []
    const answerAll = () => {
      for (const answer of waiting.splice(0)) answer()
    }
    const { get } = await calling(
      (_, response) => {
        most = Math.max(
          most,
          waiting.push(() => response.end('{}')),
        )
        if (waiting.length === 3) setTimeout(answerAll, 2)
      },
      { concurrency: 3 },
    )

    await Promise.all(Array.from({ length: 21 }, () => get()))

    expect(most).toBe(3)
  })
})

describe.concurrent('a token', () => {
  const jwt = (iat: number, seconds: number, id: number) =>
    new SignJWT({ id })
      .setProtectedHeader({ alg: 'HS256' })
      .setIssuedAt(iat)
      .setExpirationTime(iat + seconds)
      .sign(new Uint8Array(32))
  const identity = {
    credentials: {
      identityUid: 'a/b',
      audience: 'https://api é',
      identityToken: { value: 'identity-token' },
    },
  }

  /** A service with an STS; `accepts` says whether the API takes the token of that number, from 1 on. */
  function service(seconds: number, accepts: (id: number) => boolean) {
    const exchanges: { url: string; authorization: string }[] = []
    const listener: import('node:http').RequestListener = async ({ url = '', headers }, response) => {
      const { authorization = '' } = headers
      if (url.startsWith('/sts/')) {
        exchanges.push({ url, authorization })
        const issued = Math.floor(Date.now() / 1000)
        return response.end(JSON.stringify({ token: await jwt(issued, seconds, exchanges.length) }))
      }
      const claims = authorization.split('.')[1] ?? ''
      const { id } = JSON.parse(Buffer.from(claims, 'base64url').toString() || '{}')
      return response.writeHead(accepts(id) ? 200 : 401).end(JSON.stringify({ id, url }))
    }
    return { exchanges, listener }
  }

  test('is exchanged once for all calls, as the contract prints it', async ({ calling }) => {
    const { exchanges, listener } = service(3600, () => true)
    const { get, log } = await calling(listener, identity)

    const answers = await Promise.all(Array.from({ length: 20 }, () => get()))

    expect(answers.map(({ json }) => (json as { id: number }).id)).toEqual(Array(20).fill(1))
    expect(exchanges).toEqual([
      {
        url: '/sts/exchange?aud=https%3A%2F%2Fapi%20%C3%A9&identity=a%2Fb',
        authorization: 'Bearer identity-token',
      },
    ])
    expect(JSON.stringify(log.exchanges)).not.toContain('eyJ')
  })

  test('is renewed before it ends, once for all calls', async ({ calling }) => {
    const { exchanges, listener } = service(2, () => true)
    const { get } = await calling(listener, identity)

    await get()
    await new Promise((go) => setTimeout(go, 1100))
    await Promise.all(Array.from({ length: 20 }, () => get()))

    expect(exchanges).toHaveLength(2)
  })

  test('that is refused in mid-run is renewed once, and the calls are repeated', async ({ calling }) => {
    let ended = false
    const { exchanges, listener } = service(3600, (id) => !ended || id > 1)
    const { get, post, log } = await calling(listener, identity)
    await get(control, { operation: 'group.get' })
    ended = true

    const answers = await Promise.all(Array.from({ length: 20 }, (_, index) => (index % 2 ? get() : post())))

    expect(answers.filter(({ status }) => status !== 200)).toEqual([])
    expect(exchanges).toHaveLength(2)
    expect(log.exchanges.length).toBeGreaterThan(21)
  })

  test('as set that ends cannot be renewed: the target is gone', async ({ calling }) => {
    let ended = false
    const { get, post } = await calling((_, response) => response.writeHead(ended ? 401 : 200).end())
    await get(control, { operation: 'group.get' })
    ended = true

    await expect(get()).rejects.toThrow('the API token is no longer accepted')
    await expect(post()).rejects.toThrow(TargetGone)
  })

  test('that was never taken did not end: a refusal is an answer', async ({ calling }) => {
    const { get, post } = await calling((_, response) => response.writeHead(401).end())

    for (const call of [get, post]) expect((await call()).status).toBe(401)
  })

  test('is not to blame where only this call is refused', async ({ calling }) => {
    const { get } = await calling(({ url }, response) => response.writeHead(url === control ? 200 : 401).end())

    expect((await get()).status).toBe(401)
    expect((await get('/things', { credential: { shown: 'none' } })).status).toBe(401)
  })

  test('that the exchange does not give is told with what came, secrets taken out', async ({ calling }) => {
    const { get } = await calling((_, response) => response.writeHead(403).end('no: identity-token'), identity)

    await expect(get()).rejects.toThrow(/answered 403 without a token: no: \$RMAPI_IDENTITY_TOKEN/)
  })
})
