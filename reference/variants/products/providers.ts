import { createHash, randomBytes } from 'node:crypto'
import type { At } from '../../domain/at.ts'
import type { Item } from '../../domain/item.ts'
import { Refusal } from '../../domain/refusal.ts'
import { type Variant, variant } from '../../fault.ts'
import { readToken } from '../../identity/tokens.ts'
import { on, type Replacement, withBody } from '../../replace.ts'

/** API tokens of another form, under which the service stores its own. */
const reissued =
  (form: (token: string) => string): Replacement =>
  (contract) => {
    const kept = new Map<string, string>()
    return {
      issued(token, at) {
        const shown = form(contract.issued(token, at))
        kept.set(shown, token)
        return shown
      },
      authenticate: (token, reader, at) => contract.authenticate(kept.get(token) ?? token, reader, at),
    }
  }

const encoded = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url')

/** The claims of an API token changed; it is known by its text. */
const reclaimed = (header: object, change: (claims: Record<string, unknown>) => object): Replacement =>
  reissued((token) => {
    const claims = change({ ...(readToken(token)?.claims as Record<string, unknown>) })
    return `${encoded(header)}.${encoded(claims)}.${randomBytes(64).toString('base64url')}`
  })

/** Identity tokens that are refused for a reason that the contract does not show (R41). */
const strict =
  (fits: (token: string) => boolean): Replacement =>
  (contract) => ({
    async signedByIssuer(token, header, keys, at) {
      return fits(token) && contract.signedByIssuer(token, header, keys, at)
    },
  })

const claimsOf = (token: string) => (readToken(token)?.claims ?? {}) as Record<string, unknown>

/** A refused claim match names its field so (R56). */
const refusing =
  (field: string): Replacement =>
  (contract) => ({
    claimMatchProblem(claimMatch, at) {
      const { issuer } = (claimMatch ?? {}) as Record<string, unknown>
      if (typeof issuer === 'string' && !/127\.0\.0\.1|localhost/.test(issuer))
        throw new Refusal('invalid', field, 'this issuer is not trusted')
      return contract.claimMatchProblem(claimMatch, at)
    },
  })

/** The bindings of a deleted identity stay, and show it as it was. */
const orphans: Replacement = (contract) => {
  const dead = new Map<string, Item>()
  return {
    alsoRemoved: (item, at) => (item.kind === 'identities' ? [] : contract.alsoRemoved(item, at)),
    forget(steps, item, at) {
      if (item.kind === 'identities') dead.set(item.uid, item)
      contract.forget(steps, item, at)
    },
    hydrated: (part, kind, binding, at) =>
      contract.hydrated(
        part ?? (kind === 'identities' ? dead.get(binding.identityUid ?? '') : undefined),
        kind,
        binding,
        at,
      ),
  }
}

const isBinding = (item: Item) => item.kind === 'roleBindings'

/** Lawful identities, bindings, roles and tokens, as identity providers have them (R10, R26, R39 to R41, R54, R56). */
export const providerVariants: readonly Variant[] = [
  variant(
    'API tokens are encrypted, in five parts',
    reissued(() =>
      [
        encoded({ alg: 'dir', enc: 'A256GCM' }),
        '',
        ...[12, 400, 16].map((n) => randomBytes(n).toString('base64url')),
      ].join('.'),
    ),
  ),
  variant(
    'API tokens are encrypted, in three parts that are no JWT',
    reissued(() => `v4.local.${randomBytes(180).toString('base64url')}`),
  ),
  variant(
    'API tokens hold every character that a bearer token may have',
    reissued(() => `v4.local~${randomBytes(60).toString('base64')}-._~+/a==`),
  ),
  variant(
    'API tokens have six kilobytes',
    reissued(() => randomBytes(4_500).toString('base64url')),
  ),
  variant(
    'an API token does not say when it was issued',
    reclaimed({ alg: 'RS256', typ: 'at+jwt', kid: '1' }, ({ iat: _, ...claims }) => claims),
  ),
  variant(
    'an API token is of another algorithm, and has times from which it is valid and logged in',
    reclaimed({ alg: 'EdDSA', kid: 'a' }, (claims) => ({
      ...claims,
      nbf: Number(claims.iat) - 5,
      auth_time: Number(claims.iat) - 86_400,
      aud: [claims.aud, 'account'].flat(),
    })),
  ),
  variant(
    'identity tokens live for ten minutes at most',
    strict((token) => Number(claimsOf(token).exp) - Number(claimsOf(token).iat) <= 600),
  ),
  variant(
    'identity tokens say from when they are valid, and have a number of their own',
    strict((token) => claimsOf(token).nbf !== undefined && claimsOf(token).jti !== undefined),
  ),
  variant('a subject has at most 127 bytes, in an identity as in a token', (contract) => {
    const isLong = (subject: unknown) => Buffer.byteLength(String(subject ?? '')) > 127
    return {
      ...strict((token) => !isLong(claimsOf(token).sub))(contract),
      claimMatchProblem: (claimMatch, at) =>
        isLong((claimMatch as { subject?: unknown } | null)?.subject)
          ? 'a subject has at most 127 bytes'
          : contract.claimMatchProblem(claimMatch, at),
    }
  }),
  variant('identity tokens are taken for five minutes after their end', () => ({
    timely({ exp, nbf, iat }, now) {
      const second = now / 1_000
      return Number(exp) > second - 300 && [iat, nbf].every((time) => time === undefined || time <= second + 300)
    },
  })),
  variant('a key is found without its id', (contract) => ({
    async signedByIssuer(token, header, keys, at) {
      for (const key of keys)
        if (await contract.signedByIssuer(token, { ...header, kid: String(key.kid) }, [key], at)) return true
      return false
    },
  })),
  variant('other issuers than those here are refused by the name of a nested field', refusing('claimMatch.issuer')),
  variant(
    'other issuers than those here are refused by the name of a field in a message',
    refusing('identity.claim_match.issuer'),
  ),
  variant('the bindings of a deleted identity stay, and show it as it was', orphans, [
    'identity.delete.bindings',
    'model.roleBinding.orphan',
  ]),
  variant(
    'an identity is bound in its own group alone, all else is a failed precondition',
    on(
      'roleBindings',
      withBody((sent, contract) => ({
        nameTaken(wanted, at) {
          const identity = at.world.store.get('identities', String(sent(at).identityUid))
          if (identity && identity.parent !== wanted.parent)
            throw new Refusal('notEmpty', 'identity', 'it is of another group')
          return contract.nameTaken(wanted, at)
        },
      })),
    ),
  ),
  variant('an identity is bound twice at most', (contract) => ({
    nameTaken(wanted, at) {
      const { bindingsOf } = at.world.store
      if (isBinding(wanted) && at.operation === 'create' && bindingsOf(wanted.identityUid ?? '').length >= 2)
        throw new Refusal('exhausted', 'identity', 'it has roles enough')
      return contract.nameTaken(wanted, at)
    },
  })),
  variant('an identity that is bound or unbound has a later updateTime', (contract) => {
    const touch = (uid: string, { world: { store, now } }: At) => {
      const identity = store.get('identities', uid)
      if (identity) store.put({ ...identity, updateTime: Math.max(now(), identity.updateTime) })
    }
    return {
      keep(item, at) {
        contract.keep(item, at)
        if (isBinding(item)) touch(item.identityUid ?? '', at)
      },
      forget(steps, item, at) {
        contract.forget(steps, item, at)
        if (isBinding(item)) touch(item.identityUid ?? '', at)
      },
    }
  }),
  variant('roles count themselves in their uids, from one', (contract) => {
    const own = (uid: string) =>
      /^[0-9a-f]{40}$/.test(uid) ? (Number.parseInt(uid.slice(0, 2), 10) + 1).toString(16) : uid
    const full = (uid: string, at: At) =>
      [...at.world.store.under('roles', '')].find((role) => own(role.uid) === uid)?.uid ?? 'none'
    return {
      role: (item, time, at) => ({ ...contract.role(item, time, at), uid: own(item.uid) }),
      roleBinding(item, parts, time, at) {
        const shown = contract.roleBinding(item, parts, time, at) as { role?: { uid: string } }
        return { ...shown, role: shown.role && { ...shown.role, uid: own(shown.role.uid) } }
      },
      found: (uid, kind, at) => contract.found(kind === 'roles' ? full(uid, at) : uid, kind, at),
      stored: (value, field, at) =>
        field === 'roleUid' && typeof value === 'string' ? full(value, at) : contract.stored(value, field, at),
    }
  }),
  variant('a claim match is unique whatever the issuer, by a digest', (contract) => {
    const used = new Map<string, string>()
    return {
      nameTaken(wanted, at) {
        if (wanted.kind !== 'identities') return contract.nameTaken(wanted, at)
        const key = createHash('md5').update(String(wanted.claimMatch?.subject)).digest('hex')
        const other = used.get(key)
        if (other !== undefined && other !== wanted.uid && at.world.store.get('identities', other)) return true
        used.set(key, wanted.uid)
        return contract.nameTaken(wanted, at)
      },
    }
  }),
]
