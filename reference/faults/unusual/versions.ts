import type { At } from '../../domain/at.ts'
import type { Item } from '../../domain/item.ts'
import { type Fault, fault } from '../../fault.ts'
import { inV1, on, withBody, withRequest } from '../../replace.ts'
import type { Answer } from '../../rules/values.ts'

const hasGoodName = (name: unknown) => typeof name === 'string' && /^[a-z0-9 ._-]+$/.test(name)

/** Faults in what v1 wrote and v2 shows (S9.4, R44, R45). */
export const betweenVersionsFaults: readonly Fault[] = [
  fault('what lives in a group that v1 made is in no list of what is below', ['model.*'], (contract) => {
    const byV1 = new Set<string>()
    return {
      keep(item, at) {
        if (at.version === 'v1') byV1.add(item.uid)
        contract.keep(item, at)
      },
      withinScope: (item, at) =>
        contract.withinScope(item, at) &&
        !(
          item.kind !== 'groups' &&
          at.query?.descendantsOf !== undefined &&
          at.query.descendantsOf !== item.parent &&
          byV1.has(item.parent)
        ),
    }
  }),
  fault('lists go on to show the description that an update through v1 has left out', ['model.*'], (contract) => {
    const before = new Map<string, string>()
    return {
      modify(steps, at) {
        const old = steps.read()
        if (old.kind === 'groups' && at.version === 'v1' && old.description) before.set(old.uid, old.description)
        else if (at.version !== 'v1') before.delete(old.uid)
        return contract.modify(steps, at)
      },
      group(item, time, at) {
        const kept = before.get(item.uid)
        const stale = at.operation === 'list' && item.description === '' && kept !== undefined
        return contract.group(stale ? { ...item, description: kept } : item, time, at)
      },
    }
  }),
  fault('Get in v1 shows the description from before it was emptied', ['model.*'], (contract) => {
    const before = new Map<string, string>()
    return {
      modify(steps, at) {
        const old = steps.read()
        if (old.kind === 'groups' && old.description) before.set(old.uid, old.description)
        return contract.modify(steps, at)
      },
      v1Group(item, time, at) {
        const stale = at.operation === 'get' && item.description === '' && before.has(item.uid)
        return contract.v1Group(stale ? { ...item, description: before.get(item.uid)! } : item, time, at)
      },
    }
  }),
  fault('a new binding in a group whose name was changed over v1 shows the name before', ['model.*'], (contract) => {
    const before = new Map<string, string>()
    return {
      modify(steps, at) {
        const old = steps.read()
        if (old.kind === 'groups') {
          if (at.version === 'v1') before.set(old.uid, old.name)
          else before.delete(old.uid)
        }
        return contract.modify(steps, at)
      },
      roleBinding: (item, parts, time, at) =>
        contract.roleBinding(
          item,
          {
            ...parts,
            group:
              parts.group && before.has(parts.group.uid)
                ? { ...parts.group, name: before.get(parts.group.uid)! }
                : parts.group,
          },
          time,
          at,
        ),
    }
  }),
  fault('a group that v1 made is not found by its name', ['model.*'], (contract) => {
    const byV1 = new Set<string>()
    return {
      keep(item, at) {
        if (at.version === 'v1') byV1.add(item.uid)
        contract.keep(item, at)
      },
      matchesName: (item, name, at) => contract.matchesName(item, name, at) && !byV1.has(item.uid),
    }
  }),
  fault('a group that v1 deleted is still found by its name', ['model.*'], (contract) => {
    const gone = new Map<string, Item>()
    return {
      forget(steps, item, at) {
        contract.forget(steps, item, at)
        if (item.kind === 'groups' && at.version === 'v1') gone.set(item.uid, item)
      },
      *candidates(at) {
        yield* contract.candidates(at)
        if (at.kind === 'groups' && at.query?.name !== undefined) yield* gone.values()
      },
    }
  }),
  fault(
    'an update of a group that v1 made is answered and forgotten',
    ['model.*'],
    on('groups', (contract) => {
      const byV1 = new Set<string>()
      return {
        keep(item, at) {
          if (at.version === 'v1') byV1.add(item.uid)
          contract.keep(item, at)
        },
        modify(steps, at) {
          const old = steps.read()
          return byV1.has(old.uid) && at.version !== 'v1' ? steps.change(old) : contract.modify(steps, at)
        },
      }
    }),
  ),
  fault(
    'a group that v1 made is deleted with what is in it',
    ['model.*'],
    on('groups', (contract) => {
      const byV1 = new Set<string>()
      return {
        keep(item, at) {
          if (at.version === 'v1') byV1.add(item.uid)
          contract.keep(item, at)
        },
        blocksDelete: (item, living, at) => !byV1.has(item.uid) && contract.blocksDelete(item, living, at),
      }
    }),
  ),
  fault(
    'a Create in v1 that is refused for its description leaves the group',
    ['model.*'],
    inV1((contract) => ({
      leftByRefusedCreate: (draft, at) =>
        hasGoodName(draft.name) && typeof draft.description !== 'string'
          ? [{ ...draft, description: '' }]
          : contract.leftByRefusedCreate(draft, at),
    })),
  ),
  fault(
    'a PUT in v1 that is refused for its description keeps the new name',
    ['model.*'],
    inV1((contract) => ({
      leftByRefusedUpdate: (before, wanted, at) =>
        hasGoodName(wanted.name) && typeof wanted.description !== 'string'
          ? { ...before, name: String(wanted.name), updateTime: at.world.now() }
          : contract.leftByRefusedUpdate(before, wanted, at),
    })),
  ),
  fault(
    'verified in a body of v1 takes effect',
    ['model.*'],
    withBody((sent, contract) => {
      const asked = (item: Item, at: At) =>
        at.version === 'v1' && sent(at).verified === true ? { ...item, verified: true } : item
      return {
        keep: (item, at) => contract.keep(asked(item, at), at),
        modify: (steps, at) => contract.modify({ ...steps, change: (old) => asked(steps.change(old), at) }, at),
      }
    }),
  ),
  fault(
    'v1 lets a name end in a line break',
    ['model.*'],
    inV1((contract) => ({
      nameProblem: (name, at) =>
        contract.nameProblem(typeof name === 'string' && name.length > 1 ? name.replace(/\n$/, '') : name, at),
    })),
  ),
  fault(
    'lists in v1 do not show what gRPC wrote until HTTP writes',
    ['model.*'],
    withRequest((request, contract) => {
      const kept = new Map<string, Answer>()
      return {
        render(answer, at) {
          if (at.over === 'grpc' || at.kind !== 'groups') return contract.render(answer, at)
          if (at.operation !== 'list' && at.operation !== 'get') kept.clear()
          if (at.version !== 'v1' || at.operation !== 'list' || answer.status !== 200)
            return contract.render(answer, at)
          const { url = '' } = request()
          if (!kept.has(url)) kept.set(url, answer)
          return contract.render(kept.get(url)!, at)
        },
      }
    }),
  ),
  fault(
    'a PUT in v1 with the name that a group has changes nothing',
    ['v1.update.resets', 'model.*'],
    inV1((contract) => ({
      modify(steps, at) {
        const old = steps.read()
        const next = steps.change(old)
        return next.name === old.name && next.description === '' ? old : contract.modify(steps, at)
      },
    })),
  ),
]
