import { randomBytes } from 'node:crypto'
import type { At } from '../domain/at.ts'
import { type Item, type Kind, keyOf } from '../domain/item.ts'
import { type Problem, Refusal } from '../domain/refusal.ts'
import { type Variant, variant } from '../fault.ts'
import { on, type Replacement } from '../replace.ts'

/** Some operations on some kinds are not offered. */
const withoutKinds =
  (kinds: readonly Kind[], problem: Problem, status: number, operations?: readonly string[]): Replacement =>
  (contract) => {
    const lacks = (kind: string, operation: string) =>
      kinds.some((one) => one === kind) && (operations === undefined || operations.includes(operation))
    return {
      objection: (_uid, { kind, operation }) =>
        lacks(kind, operation) ? new Refusal(problem, 'path', 'nothing is served here') : undefined,
      errorStatus: (refusal, at) =>
        lacks(at.kind, at.operation) && refusal.problem === problem ? status : contract.errorStatus(refusal, at),
    }
  }

const encoded = (uid: unknown) => Buffer.from(String(uid)).toString('base64url')

/** What it was before; a text that only resembles an encoded one stays as it is (R38). */
function decoded(text: string): string {
  const uid = Buffer.from(text, 'base64url').toString()
  return encoded(uid) === text ? uid : text
}

const registryKinds: readonly string[] = ['repos', 'tags', 'advisories']

/** Encodes the uids of a kind as text without a path, and accepts them again. */
const opaquely = (kind: 'repos' | 'tags', render: 'repo' | 'tag'): Replacement =>
  on(kind, (contract) => ({
    [render]: (...given: Parameters<typeof contract.repo>) => {
      const fields = contract[render](...given)
      return { ...fields, uid: encoded(fields.uid) }
    },
    found: (uid, wanted, at) => contract.found(wanted === kind ? decoded(uid) : uid, wanted, at),
  }))

const imported = { createTime: Date.UTC(2024, 1, 29, 12), updateTime: Date.UTC(2024, 1, 29, 12) }

/** Others make and delete what a run only reads, all the time, beside some that stay. */
function busy(stay: Partial<Record<Kind, number>> = {}): Replacement {
  return (contract) => {
    const made: Item[] = []
    let last: number | undefined
    const make = (kind: Kind, { store, now }: At['world']) => {
      const [pattern] = [...store.all(kind)].filter((item) => !made.includes(item))
      if (!pattern) return []
      const uid = `${kind === 'roles' ? 'c0ffee' : `${pattern.parent}/`}${randomBytes(8).toString('hex')}`
      const item = { ...pattern, uid, name: `busy ${uid.slice(-8)}`, createTime: now(), updateTime: now() }
      store.put(item)
      return [item]
    }
    const disturb = (world: At['world']) => {
      for (const kind of ['repos', 'tags', 'advisories', 'roles'] as const) made.push(...make(kind, world))
      for (const old of made.length > 12 ? made.splice(0, 4) : []) {
        world.store.drop(old)
        world.store.unlist(old)
      }
    }
    const fill = (world: At['world']) => {
      for (const [kind, count] of Object.entries(stay))
        for (let each = 0; each < count; each++) make(kind as Kind, world)
    }
    return {
      transport(request, response, serve, at) {
        const now = performance.now()
        if (last === undefined) fill(at.world)
        if (last === undefined || now - last > 500) {
          disturb(at.world)
          last = now
        }
        return contract.transport(request, response, serve, at)
      },
    }
  }
}

/** Lawful registries: the contract shows little of them. */
export const registryVariants: readonly Variant[] = [
  variant('no tags are served, which is answered 404', withoutKinds(['tags'], 'missing', 404)),
  variant(
    'no tags and no invites are served, which is answered 501',
    withoutKinds(['tags', 'groupInvites'], 'unimplemented', 501),
  ),
  variant(
    'neither tags nor advisories are served, which is a fault of code 12',
    withoutKinds(['tags', 'advisories'], 'unimplemented', 500),
  ),
  variant('no Get is served where none is printed', (contract) =>
    withoutKinds(
      ['repos', 'tags', 'advisories', 'identityProviders', 'accountAssociations', 'groupInvites', 'roles'],
      'unimplemented',
      405,
      ['get'],
    )(contract),
  ),
  variant('repos have uids without a path', opaquely('repos', 'repo')),
  variant('tags have uids without a path', opaquely('tags', 'tag')),
  variant('the registry is empty', (contract) => ({
    candidates: (at) => (registryKinds.includes(at.kind) ? [] : contract.candidates(at)),
  })),
  variant('tags and advisories show nothing but a uid', (contract) => ({
    tag: (...given) => ({ uid: contract.tag(...given).uid }),
    advisory: (...given) => ({ uid: contract.advisory(...given).uid }),
  })),
  variant(
    'tags and advisories have times with microseconds',
    (contract) => ({
      timestamp: (milliseconds, at) =>
        at.kind === 'tags' || at.kind === 'advisories'
          ? new Date(milliseconds).toISOString().replace('Z', '345Z')
          : contract.timestamp(milliseconds, at),
    }),
    ['time.form', 'time.format.unshown'],
  ),
  variant('roles, repos and advisories were all made at one moment', (contract) => ({
    role: (item, ...given) => contract.role({ ...item, ...imported }, ...given),
    repo: (item, ...given) => contract.repo({ ...item, ...imported }, ...given),
    v1Repo: (item, ...given) => contract.v1Repo({ ...item, ...imported }, ...given),
    advisory: (item, ...given) => contract.advisory({ ...item, ...imported }, ...given),
  })),
  variant('what is written to repos is refused as not allowed', (contract) => ({
    errorStatus: (refusal, at) =>
      ['repos', 'tags', 'advisories'].includes(at.kind) && at.operation === 'none'
        ? 403
        : contract.errorStatus(refusal, at),
  })),
  variant('every repo shows its readme', (contract) => ({
    repo: (...given) => ({ ...contract.repo(...given), readme: 'All that there is to know of it. '.repeat(800) }),
  })),
  variant('others make and delete repos, tags and roles all the time', busy()),
  variant('others make and delete repos all the time, of which there are more than a page', busy({ repos: 80 })),
  variant('repos are described and counted', (contract) => ({
    repo: (...given) => ({ ...contract.repo(...given), tagCount: 3, sizeBytes: '1024', readme: null }),
  })),
  variant(
    'others rename a repo every six seconds, which ordered lists show three and a half seconds late',
    (contract) => {
      const before = new Map<string, { item: Item; until: number }>()
      let last = performance.now()
      let turn = 0
      return {
        transport(request, response, serve, at) {
          const { store, now } = at.world
          const time = performance.now()
          const item = [...store.all('repos')][turn % 7]
          if (item && time - last > 6_000) {
            last = time
            before.set(keyOf(item), { item, until: time + 3_500 })
            const name = `${item.name.replace(/-v\d+$/, '')}-v${++turn}`
            store.put({ ...item, name, updateTime: Math.max(now(), item.updateTime) })
          }
          return contract.transport(request, response, serve, at)
        },
        seen(item, at) {
          const isOrdered = at.query !== undefined && at.query.order.field !== 'uid'
          const old = isOrdered ? before.get(keyOf(item)) : undefined
          return old && old.until > performance.now() ? old.item : contract.seen(item, at)
        },
      }
    },
  ),
  variant('others rename and describe roles and repos all the time', (contract) => {
    let last = 0
    let turn = 0
    return {
      transport(request, response, serve, at) {
        const { store, now, operator } = at.world
        const time = performance.now()
        if (time - last > 300) {
          last = time
          turn++
          const roles = [...store.under('roles', '')].filter(({ name }) => name !== 'viewer')
          const some = [roles[turn % roles.length], [...store.all('repos')][turn % 7]]
          for (const item of some)
            if (item)
              store.put({
                ...item,
                name: `${item.name.replace(/-v\d+$/, '')}-v${turn}`,
                description: `Described ${turn} times.`,
                updateTime: Math.max(now(), item.updateTime),
              })
          void operator
        }
        return contract.transport(request, response, serve, at)
      },
    }
  }),
]
