import { kinds } from '../../../helpers/api/kinds.ts'
import { type SchemaName, schemaNames } from '../../../helpers/assertions/schema.ts'
import { type Json, read } from '../schema-samples.ts'

type Schema = Json & { title: string; properties: Record<string, Json>; $defs?: Record<string, Schema> }

const schema = (name: string) => read(name) as Schema
const at = (title: string) => `#/components/schemas/${title}`

/** A reference to the schema of a file in `schemas/`, named without `.json`. */
export const refTo = (name: SchemaName) => ({ $ref: at(schema(name).title) })

/** The content of a body in JSON (S1.6). */
export const inJson = (schema: Json): Json => ({ 'application/json': { schema } })

/** A reference to one of the bodies that are sent. */
export const refToSent = (title: keyof ReturnType<typeof sentBodies>) => ({ $ref: at(title) })

/** The schema of the uid that one kind of resource has, as a parameter has it. */
export function uidOf(name: SchemaName): Json {
  const { description, ...uid } = schema(name).properties.uid ?? schema(name).properties.id!
  return uid
}

/** Every schema of the contract by its title, those inside another one beside it. */
export function componentSchemas(): Json {
  const answered = schemaNames.flatMap((name) => {
    const { $schema, $id, $defs = {}, ...body } = schema(name)
    const resolved = (ref: string) =>
      at(ref.startsWith('#') ? $defs[ref.slice(8)]!.title : schema(ref.slice(0, -5)).title)
    return [body, ...Object.values($defs)].map((one) => [one.title, withRefs(one, resolved)])
  })
  return { ...Object.fromEntries(answered), ...sentBodies() }
}

/** A schema with each of its references put in another way. */
function withRefs(node: unknown, resolved: (ref: string) => string): unknown {
  if (Array.isArray(node)) return node.map((item) => withRefs(item, resolved))
  if (typeof node !== 'object' || node === null) return node
  return Object.fromEntries(
    Object.entries(node).map(([key, value]) => [key, key === '$ref' ? resolved(value) : withRefs(value, resolved)]),
  )
}

/** What the contract shows of the bodies that are sent (section 4, S2.15); all are open, as the server ignores or refuses the rest. */
function sentBodies() {
  const group = schema(kinds.groups.schema).properties
  const identity = schema(kinds.identities.schema).properties
  const described = { type: 'string', description: 'optional, a string (S2.7, S2.10)' }
  const ofGroup = { name: group.name, description: described }
  const ofIdentity = { name: identity.name, description: described, claimMatch: identity.claimMatch }
  const uid = (name: SchemaName, description: string) => ({ ...uidOf(name), description })
  return {
    NewGroup: body('NewGroup', 'what a group is created from; its parent is in the path (S2.6, S4.2)', ofGroup, [
      'name',
    ]),
    GroupChange: body('GroupChange', 'the members of a group to change (S4.26)', ofGroup),
    NewIdentity: body(
      'NewIdentity',
      'what an identity is created from (S2.10, S2.11); that one without a claim match is accepted is not shown (R54)',
      ofIdentity,
      ['name', 'claimMatch'],
    ),
    IdentityChange: body('IdentityChange', 'the members of an identity to change (S4.3, S4.26)', ofIdentity),
    NewRoleBinding: body(
      'NewRoleBinding',
      'what a role binding is created from: the role that is granted to the identity (S2.15)',
      {
        identityUid: uid('identity', 'the uid of the identity that is granted the role (S2.15)'),
        roleUid: uid('role', 'the uid of the role (S2.15)'),
      },
      ['identityUid', 'roleUid'],
    ),
    NotShown: body('NotShown', 'a body of which the contract shows no member'),
  }
}

function body(title: string, description: string, properties: Json = {}, required: readonly string[] = []): Json {
  return {
    title,
    description,
    type: 'object',
    ...(required.length > 0 && { required }),
    ...(Object.keys(properties).length > 0 && { properties }),
  }
}
