import type { Family, Fields, Item, Kind, Operation } from '../item.ts'
import { Refusal } from '../refusal.ts'
import type { Context } from '../service.ts'

/** What is specific to one kind; everything else is the same for every kind. */
export interface Resource {
  readonly family: Family
  readonly operations: readonly Operation[]
  /** Why these fields are refused; only the listed ones are looked at. */
  refuses(fields: Fields, listed: readonly string[], at: Context): Refusal | undefined
  /** The resource as an answer shows it. */
  render(item: Item, at: Context): Fields
}

/** The rendering of times that the rules ask for (S2.4). */
export const timeAt = (at: Context) => (milliseconds: number) => at.world.rules.timestamp(milliseconds, at)

/** The item that the caller may see under a uid; undefined if there is none. */
export function visible(kind: Kind, uid: string, at: Context): Item | undefined {
  const { rules } = at.world
  const kept = rules.found(uid, kind, at)
  const item = kept && rules.seen(kept, at)
  return item && rules.belongs(item, at) ? item : undefined
}

/** The item that the caller names; refused as missing where there is none. */
export function existing(kind: Kind, uid: string, at: Context): Item {
  const item = visible(kind, uid, at)
  if (!item) throw new Refusal('missing', kind, `there is no ${JSON.stringify(uid)}`)
  return item
}

/** The refusal of the first listed field that a rule objects to. */
export function firstInvalid(
  listed: readonly string[],
  problems: Readonly<Record<string, () => string | undefined>>,
): Refusal | undefined {
  for (const field of listed) {
    const description = problems[field]?.()
    if (description !== undefined) return new Refusal('invalid', field, description)
  }
  return undefined
}

/** A kind with every operation, a name and a description (S4.1, S4.3); `own` checks the fields that it has besides. */
export function namedResource(
  render: Resource['render'],
  own: (fields: Fields, at: Context) => Readonly<Record<string, () => string | undefined>> = () => ({}),
): Resource {
  return {
    family: 'iam',
    operations: ['list', 'get', 'create', 'update', 'delete'],
    refuses(fields, listed, at) {
      const { rules } = at.world
      return firstInvalid(listed, {
        name: () => rules.nameProblem(fields.name, at),
        description: () => rules.descriptionProblem(fields.description, at),
        ...own(fields, at),
      })
    },
    render,
  }
}
