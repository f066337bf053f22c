import { request as ask, createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { Pool } from 'undici'

/** A request as it went over the wire, tokens and all: kept in memory only. */
interface Recorded {
  method: string
  path: string
  headers: string[]
  body: Buffer
  status: number
}

/** Records, in the order of arrival, the requests to the server behind it. */
export async function recordBefore(baseUrl: string) {
  const recorded: Recorded[] = []
  const proxy = createServer((incoming, requestFor) => {
    const { method = 'GET', url: path = '/', rawHeaders } = incoming
    const kept: Recorded = {
      method,
      path,
      headers: worthSending(rawHeaders),
      body: Buffer.alloc(0),
      status: 0,
    }
    recorded.push(kept)
    const chunks: Buffer[] = []
    const onward = ask(baseUrl + path, { method, headers: incoming.headers }, (answer) => {
      kept.status = answer.statusCode ?? 0
      requestFor.writeHead(kept.status, answer.headers)
      answer.pipe(requestFor)
    })
    incoming.on('data', (chunk: Buffer) => chunks.push(chunk))
    incoming.on('end', () => {
      kept.body = Buffer.concat(chunks)
    })
    incoming.pipe(onward.once('error', () => requestFor.destroy()))
  })
  await new Promise<void>((resolve) => proxy.listen(0, '127.0.0.1', resolve))
  return {
    baseUrl: `http://127.0.0.1:${(proxy.address() as AddressInfo).port}`,
    recorded,
    close() {
      proxy.close()
      proxy.closeAllConnections()
    },
  }
}

/** Headers that undici writes itself are left to it. */
function worthSending(raw: string[]): string[] {
  const pairs = raw.flatMap((name, index) => (index % 2 === 0 ? [[name, raw[index + 1] ?? '']] : []))
  return pairs.filter(([name = '']) => !/^(host|connection|content-length|transfer-encoding)$/i.test(name)).flat()
}

/** Sends it all again with bare undici, so many at once and in the same order; returns how many had the same status. */
export async function replay(baseUrl: string, recorded: readonly Recorded[], concurrency: number): Promise<number> {
  const pool = new Pool(baseUrl, { connections: concurrency, pipelining: 1 })
  const queue = recorded.values()
  let alike = 0
  const sender = async () => {
    for (const { method, path, headers, body, status } of queue) {
      const answer = await pool.request({
        method: method as 'GET',
        path,
        headers,
        body: body.length > 0 ? body : null,
      })
      await answer.body.dump({ limit: Number.POSITIVE_INFINITY })
      if (answer.statusCode === status) alike++
    }
  }
  await Promise.all(Array.from({ length: concurrency }, sender))
  await pool.close()
  return alike
}
