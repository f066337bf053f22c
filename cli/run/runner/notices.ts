import { setTimeout as sleep } from 'node:timers/promises'
import type { Notice } from '../../../helpers/arrange/run.ts'

/** How long to wait for the last message of a run, in milliseconds. */
const lastWord = 200

/** The worker's last message: how many calls it sent, and what became of the trace. */
interface Last {
  sent: number
  traced: Notice['traced']
}

/** What is called with what the worker of a run says: why it ends early, and what it does besides its cases. */
interface Ears {
  end(why: string): void
  doing?(what: string): void
}

/** Listens to what the worker of a run says. */
export function hearing({ end, doing }: Ears): { channel: string; last(): Promise<Last> } {
  const channel = `rmapi-${crypto.randomUUID()}`
  const heard = new BroadcastChannel(channel) as BroadcastChannel & { unref(): void }
  heard.unref()
  let sent: number | undefined
  let traced: Notice['traced']
  heard.onmessage = ({ data }: { data: unknown }) => {
    const notice = data as Notice
    if (notice.ended !== undefined) end(notice.ended)
    if (notice.doing !== undefined) doing?.(notice.doing)
    sent = notice.sent ?? sent
    traced = notice.traced ?? traced
  }
  return {
    channel,
    async last() {
      for (let waited = 0; sent === undefined && waited < lastWord; waited += 10) await sleep(10)
      heard.close()
      return { sent: sent ?? 0, traced }
    },
  }
}
