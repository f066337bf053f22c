import { type Reference, startReference } from '../reference/embed.ts'
import type { ToServer, Traffic } from './message.ts'
import { foreseeable, watched } from './traffic.ts'

// a reference in a process of its own, so that its cost is not counted for anything else

let running: Reference | undefined
let traffic: Traffic = { requests: 0, firstAt: 0, lastAt: 0 }

process.on('message', (message: ToServer) => {
  if ('report' in message) process.send?.(traffic)
  else void begin(message.begin.delay)
})

/** At the same address and with the same key, so that an earlier token is still valid. */
async function begin(delay: number): Promise<void> {
  const port = running === undefined ? 0 : Number(new URL(running.baseUrl).port)
  await running?.close()
  traffic = { requests: 0, firstAt: 0, lastAt: 0 }
  running = await startReference({
    port,
    rules: (contract) => ({ ...foreseeable()(contract), ...watched(traffic, delay)(contract) }),
  })
  const { world: _, close: __, ...shown } = running
  process.send?.(shown)
}
