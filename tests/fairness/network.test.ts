import type { ServerResponse } from 'node:http'
import { describe, expect } from 'vitest'
import { Inconclusive, Stopped, TargetGone } from '../../helpers/http/case-errors.ts'
import { test } from '../support/runs/servers.ts'

const cut = (response: ServerResponse) => {
  response.writeHead(200, { 'content-length': '100' }).write('{')
  setTimeout(() => response.destroy(), 2)
}

/** What a call ends with. */
const endOf = (call: Promise<unknown>) =>
  call.then(
    () => undefined,
    (error: unknown) => error,
  )

describe.concurrent('a network that breaks off', () => {
  test('a GET is asked again until it has an answer, and what came first is shown', async ({ calling }) => {
    let calls = 0
    const { get, log } = await calling((_, response) => (++calls > 3 ? response.end('{}') : cut(response)))

    expect((await get()).status).toBe(200)
    expect(log.exchanges.map(({ silence }) => silence)).toEqual([expect.stringMatching(/broke off/), undefined])
  })

  test.for(['cut', 'reset'])('a write is not, and leaves its case inconclusive: %s', async (how, { calling }) => {
    let writes = 0
    const { post } = await calling(({ method, socket }, response) => {
      if (method === 'GET') return response.end('{}')
      writes++
      return how === 'cut' ? cut(response) : socket.resetAndDestroy()
    })

    for (let calls = 1; calls <= 4; calls++) expect(await endOf(post())).toBeInstanceOf(Inconclusive)
    expect(writes).toBe(4)
  })

  test('a body without a length is not whole where its connection ends within its JSON', async ({ calling }) => {
    let calls = 0
    const { get } = await calling((_, response) => {
      response.useChunkedEncodingByDefault = false
      response.shouldKeepAlive = false
      response.end(++calls === 1 ? '{"things": [{"name": "a}' : '{"things": []}')
    })

    expect(await get()).toMatchObject({ status: 200, json: { things: [] } })
  })

  test('a call that alone never has an answer is the target’s', async ({ calling }) => {
    const { get } = await calling(({ url, socket }, response) =>
      url === '/things' ? socket.resetAndDestroy() : response.end('{}'),
    )
    const error = await endOf(get())

    expect(error).toBeInstanceOf(Stopped)
    expect((error as Stopped).stop).toMatchObject({ operation: 'thing.get', phase: 'act' })
  })

  test('where no call has a whole answer, nobody is accused', async ({ calling }) => {
    const { get, post } = await calling((_, response) => cut(response))

    for (const call of [get, post]) expect(await endOf(call())).toBeInstanceOf(Inconclusive)
  })

  test('one in twenty that is broken off makes no call fail', async ({ calling }) => {
    let calls = 0
    const { get } = await calling(({ socket }, response) =>
      ++calls % 20 === 7 ? socket.resetAndDestroy() : response.end('{}'),
    )
    const answers = await Promise.all(Array.from({ length: 200 }, () => get()))

    expect(answers.every(({ status }) => status === 200)).toBe(true)
  })

  test('a target that is gone is said to be gone', async ({ serve, closing, callerOf }) => {
    const { get, post } = callerOf(await serve((_, response) => response.end('{}')), { within: 300 })
    await get()
    await closing[1]!()

    expect(await endOf(post())).toBeInstanceOf(TargetGone)
    // it ends the run, and with it every other call
    await new Promise(setImmediate)
    expect(await endOf(get())).toMatchObject({
      name: 'Inconclusive',
      message: expect.stringContaining('takes no connections any more'),
    })
  })
})

describe.concurrent('silence', () => {
  const within = 700

  test('once, on a GET, is asked again', async ({ calling }) => {
    let calls = 0
    const { get } = await calling(
      ({ url }, response) => (url === '/things' && ++calls === 1 ? undefined : response.end('{}')),
      { within },
    )

    expect((await get()).status).toBe(200)
  })

  test('three times in a row, on the same GET, is the target’s', async ({ calling }) => {
    let calls = 0
    const { get } = await calling(
      ({ url }, response) => (url === '/things' && ++calls > 0 ? undefined : response.end('{}')),
      { within },
    )

    expect(await endOf(get())).toBeInstanceOf(Stopped)
    expect(calls).toBe(3)
  })

  test('on writes is inconclusive, and the target’s from the third in a row', async ({ calling }) => {
    const { post } = await calling(({ method }, response) => (method === 'GET' ? response.end('{}') : undefined), {
      within,
    })

    expect(await endOf(post())).toBeInstanceOf(Inconclusive)
    expect(await endOf(post())).toBeInstanceOf(Inconclusive)
    expect(await endOf(post())).toBeInstanceOf(Stopped)
  })

  test('of many writes side by side counts once', async ({ calling }) => {
    const { post } = await calling(({ method }, response) => (method === 'GET' ? response.end('{}') : undefined), {
      within,
    })

    const ends = await Promise.all(Array.from({ length: 6 }, () => endOf(post())))

    expect(ends).toEqual(ends.map(() => expect.any(Inconclusive)))
  })

  test('of everything is a target that is gone', async ({ calling }) => {
    const { get } = await calling(() => undefined, { within })

    expect(await endOf(get())).toBeInstanceOf(TargetGone)
  })
})
