import type { At } from '../../domain/at.ts'
import { Refusal } from '../../domain/refusal.ts'
import { type Variant, variant } from '../../fault.ts'
import { during, inV1, on, type Replacement } from '../../replace.ts'
import type { Answer } from '../../rules/values.ts'

/** So many of a kind live in an organization, and no more; one too many is refused so (R56). */
const quota =
  (kind: string, most: number, refused: () => Refusal): Replacement =>
  (contract) => {
    const living = new Set<string>()
    return {
      keep(item, at) {
        if (item.kind === kind && living.size >= most) throw refused()
        if (item.kind === kind) living.add(item.uid)
        contract.keep(item, at)
      },
      forget(steps, item, at) {
        living.delete(item.uid)
        contract.forget(steps, item, at)
      },
    }
  }

const withStatus =
  (field: string, status: number, rules: Replacement): Replacement =>
  (contract) => ({
    ...rules(contract),
    errorStatus: (refusal, at) => (refusal.field === field ? status : contract.errorStatus(refusal, at)),
    errorDetails: (refusal, info, at) => (refusal.field === field ? [] : contract.errorDetails(refusal, info, at)),
  })

const empty =
  (change: (at: At) => boolean, answer: Partial<Answer>): Replacement =>
  (contract) => ({
    render(given, at) {
      const shown = contract.render(given, at)
      return shown.status < 300 && change(at) ? { ...shown, ...answer } : shown
    },
  })

const isPlain = (value: unknown) => typeof value === 'number' || typeof value === 'boolean'

/** Lawful times, members, clocks and quotas (R2, R20, R27, R44 to R46, R56). */
export const productValueVariants: readonly Variant[] = [
  variant(
    'times have nine digits, six of them zero',
    () => ({ timestamp: (milliseconds) => new Date(milliseconds).toISOString().replace('Z', '000000Z') }),
    ['time.form'],
  ),
  variant(
    'times are written in small letters',
    (contract) => ({
      timestamp: (milliseconds, at) =>
        at.over === 'grpc' ? contract.timestamp(milliseconds, at) : new Date(milliseconds).toISOString().toLowerCase(),
    }),
    ['time.form'],
  ),
  variant('what is new was last changed a moment after it was made', (contract) => ({
    born(now, at) {
      const times = contract.born(now, at)
      const { lastSeenTime } = times
      return { ...times, updateTime: now + 7, ...(lastSeenTime && { lastSeenTime: now + 3 }) }
    },
  })),
  variant(
    'limits of a group are texts, and one is an object',
    on('groups', (contract) => ({
      group: (item, time, at) => ({
        ...contract.group(item, time, at),
        resourceLimits:
          at.over === 'grpc' ? { clusters: 5 } : { clusters: '5', repositories: { soft: 10, hard: -1 }, seats: 2.5 },
      }),
    })),
  ),
  variant(
    'a limit of a group is minus one, for none',
    on('groups', {
      newborn: () => ({ description: '', resourceLimits: { clusters: -1, idps: 0 }, verified: false }),
    }),
  ),
  variant('the clock hook writes the time with an offset of two hours', () => ({
    clockMoved: (now) => ({ now: new Date(Date.parse(now) + 7_200_000).toISOString().replace('Z', '+02:00') }),
  })),
  variant('the clock hook writes the time to the nanosecond, and more', () => ({
    clockMoved: (now) => ({ now: now.replace('Z', '123456Z'), advanced: true, offsetSeconds: 5 }),
  })),
  variant(
    'an update of v1 is answered with nothing',
    inV1(empty(({ operation }) => operation === 'update', { status: 204, body: undefined })),
  ),
  variant('v1 lists show the newest first, and how many there are', (contract) => ({
    v1Listed: (items, at) => [...contract.v1Listed(items, at)].sort((a, b) => b.createTime - a.createTime),
    v1ListBody: (items, at) => ({ kind: 'List', total: items.length, ...contract.v1ListBody(items, at), links: {} }),
  })),
  variant(
    'there is room for a hundred identities, and one more is a failed precondition',
    withStatus(
      'quota',
      400,
      quota('identities', 100, () => new Refusal('notEmpty', 'quota', 'there are enough')),
    ),
  ),
  variant(
    'there is room for sixty bindings, and one more is a conflict',
    withStatus(
      'quota',
      409,
      quota('roleBindings', 60, () => new Refusal('exhausted', 'quota', 'there are enough')),
    ),
  ),
  variant(
    'there is room for two hundred groups, and one more is forbidden',
    withStatus(
      'quota',
      403,
      quota('groups', 200, () => new Refusal('exhausted', 'quota', 'there are enough')),
    ),
  ),
  variant('a delete is accepted, which is answered 202', (contract) => ({
    successStatus: (at) => (at.operation === 'delete' ? 202 : contract.successStatus(at)),
  })),
  variant(
    'a name may be a number or a boolean, which is read as text',
    (contract) => ({
      body(bytes, at) {
        const fields = contract.body(bytes, at)
        return fields && isPlain(fields.name) ? { ...fields, name: String(fields.name) } : fields
      },
    }),
    ['group.name.refuses.other-types'],
  ),
  variant('a description may be a number or a boolean, which is read as text', (contract) => ({
    descriptionProblem: (description, at) =>
      isPlain(description) ? undefined : contract.descriptionProblem(description, at),
    stored: (value, field, at) =>
      field === 'description' && isPlain(value) ? String(value) : contract.stored(value, field, at),
  })),
  variant('a skip beyond the end finds nothing, which is answered 404', (contract) => ({
    page(rest, skip, size, at) {
      if (skip > 0 && skip >= rest.length) throw new Refusal('missing', 'skip', 'there is no such page')
      return contract.page(rest, skip, size, at)
    },
  })),
  variant(
    'the name of a group cannot be changed, which is a failed precondition',
    on(
      'groups',
      during('update', (contract) => ({
        changed(sent, mask, settable, at) {
          const fields = contract.changed(sent, mask, settable, at)
          if (fields.includes('name')) throw new Refusal('taken', 'lock', 'a name is immutable')
          return fields
        },
        errorCode: (refusal, at) => (refusal.field === 'lock' ? 9 : contract.errorCode(refusal, at)),
        errorReason: (refusal, at) =>
          refusal.field === 'lock' ? 'FAILED_PRECONDITION' : contract.errorReason(refusal, at),
        errorStatus: (refusal, at) => (refusal.field === 'lock' ? 400 : contract.errorStatus(refusal, at)),
      })),
    ),
  ),
]
