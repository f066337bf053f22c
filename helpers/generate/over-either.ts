import type { Transport } from '../api/context.ts'
import type { Run } from '../arrange/run.ts'
import { Draw } from './draw.ts'
import { Driver } from './driver.ts'

/** The run over gRPC; undefined where that is not served. */
export const servedOverGrpc = (run: Run): Promise<Run | undefined> =>
  run.grpcSupport.mustBeServed().then(
    () => ({ ...run, over: 'grpc' }),
    () => undefined,
  )

/** A driver of the same calls over gRPC, by default in the same group; undefined where that is not served. */
export async function besideOverGrpc({ run, log, scope, draw }: Driver, home = scope): Promise<Driver | undefined> {
  const overGrpc = await servedOverGrpc(run)
  return overGrpc && new Driver(overGrpc, log, home, draw)
}

/** A run that draws the protocol of each call: what is written over one shows over the other (R60). */
export function overEither(run: Run, salt: string, writes?: Transport): Run {
  const draw = new Draw(run.config.seed, `${salt} protocols`)
  const isRead = (operation: string) => operation === 'list' || operation === 'get'
  const over = (operation: string) => (writes && !isRead(operation) ? writes : draw.one(['http', 'grpc'] as const))
  return { ...run, over }
}
