import { setTimeout as sleep } from 'node:timers/promises'
import type { Notice } from '../../helpers/arrange/run.ts'

/** How long the last word of a run is waited for, in milliseconds. */
const lastWord = 200

/** Listens to what the worker of a run says; calls `end` with the reason where the run ends early. */
export function hearing(end: (why: string) => void): { channel: string; sent(): Promise<number> } {
  const channel = `rmapi-${crypto.randomUUID()}`
  const heard = new BroadcastChannel(channel) as BroadcastChannel & { unref(): void }
  heard.unref()
  let sent: number | undefined
  heard.onmessage = ({ data }: { data: unknown }) => {
    const notice = data as Notice
    if (notice.ended !== undefined) end(notice.ended)
    sent = notice.sent ?? sent
  }
  return {
    channel,
    async sent() {
      for (let waited = 0; sent === undefined && waited < lastWord; waited += 10) await sleep(10)
      heard.close()
      return sent ?? 0
    },
  }
}
