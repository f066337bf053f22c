import { createHash } from 'node:crypto'
import type { ServerResponse } from 'node:http'
import { setTimeout as sleep } from 'node:timers/promises'
import { type Replacement, withBody } from '../reference/replace.ts'
import type { Traffic } from './message.ts'

/** Counts the requests to a reference, and adds a delay to every answer. */
export function watched(traffic: Traffic, delay = 0): Replacement {
  const seen = async (response: ServerResponse) => {
    traffic.requests++
    traffic.firstAt ||= Date.now()
    response.once('close', () => {
      traffic.lastAt = Date.now()
    })
    if (delay > 0) await sleep(delay)
  }
  return (contract) => ({
    async transport(request, response, serve, at) {
      await seen(response)
      await contract.transport(request, response, serve, at)
    },
    async grpcTransport(request, response, serve, at) {
      await seen(response)
      await contract.grpcTransport(request, response, serve, at)
    },
  })
}

/** The same uids for the same creates: a recording can be sent again to a server that restarts. */
export function foreseeable(): Replacement {
  const seen = new Map<string, number>()
  return withBody((sent) => ({
    mintUid(parent, at) {
      const what = `${at.kind} ${parent.uid} ${JSON.stringify(sent(at))}`
      const count = (seen.get(what) ?? 0) + 1
      seen.set(what, count)
      return `${parent.uid}/${createHash('sha256').update(`${what} ${count}`).digest('hex').slice(0, 16)}`
    },
  }))
}
