import { Draw } from '../helpers/generate/draw.ts'
import type { Replacement } from '../reference/replace.ts'

/** Loses some answers in a hundred, whatever they are to: a reset before or after the call took effect, or half a body. */
export const losing =
  (percent: number, seed: number): Replacement =>
  (contract) => {
    const draw = new Draw(seed, 'loss')
    return {
      async transport(request, response, serve, at) {
        if (request.httpVersionMajor !== 1 || draw.below(1_000) >= 10 * percent)
          return contract.transport(request, response, serve, at)
        const how = draw.one(['before', 'after', 'half'] as const)
        if (how === 'before') return void request.socket.destroy()
        const { end } = response
        response.end = ((text?: unknown) => {
          if (how === 'half') response.write(String(text ?? '').slice(0, 20))
          setImmediate(() => request.socket.destroy())
          return response
        }) as typeof end
        return contract.transport(request, response, serve, at)
      },
    }
  }
