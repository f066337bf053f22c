import type { Rules } from '../../rules.types.ts'

/** API tokens that end by some event; `end` gets the uid of their identity. */
export function revoking(contract: Rules): { end: (uid: string) => void; rules: Partial<Rules> } {
  let turn = 0
  const [issued, ended] = [new Map<string, number>(), new Map<string, number>()]
  return {
    end: (uid) => ended.set(uid, ++turn),
    rules: {
      issued(token, at) {
        const shown = contract.issued(token, at)
        issued.set(shown, ++turn)
        return shown
      },
      async authenticate(token, reader, at) {
        const caller = await contract.authenticate(token, reader, at)
        const hasEnded = (ended.get(caller?.subject ?? '') ?? 0) > (issued.get(token) ?? Number.POSITIVE_INFINITY)
        return hasEnded ? undefined : caller
      },
    },
  }
}
