import { SignJWT } from 'jose'
import { describe, expect } from 'vitest'
import { TargetGone } from '../../helpers/http/case-errors.ts'
import { groupUid, test, token } from '../support/runs/servers.ts'

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

    await expect(get()).rejects.toThrow(TargetGone)
    await expect(post()).rejects.toThrow('the API token is no longer accepted')
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

  test('that the exchange does not give is reported with what came, secrets taken out', async ({ calling }) => {
    const { get } = await calling((_, response) => response.writeHead(403).end('no: identity-token'), identity)

    await expect(get()).rejects.toThrow(/answered 403 without a token: no: \$RMAPI_IDENTITY_TOKEN/)
  })
})
