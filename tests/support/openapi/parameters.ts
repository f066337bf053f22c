import type { SchemaName } from '../../../helpers/assertions/schema.ts'
import type { Json } from '../schema-samples.ts'
import { uidOf } from './schemas.ts'

const query = (name: string, description: string, schema: Json) => ({ name, in: 'query', description, schema })
const uidOfGroup = uidOf('group')
const text = { type: 'string' }

/** The parameters that several operations take, by their names in the document. */
export const parameters = {
  DescendantsOf: query(
    'uidp.descendants_of',
    'the uid of a group: only what is anywhere below that group (S4.8); two scopes in one call are left open (R21)',
    uidOfGroup,
  ),
  ChildrenOf: query(
    'uidp.children_of',
    'the uid of a group: only what is directly in that group (S4.9); two scopes in one call are left open (R21)',
    uidOfGroup,
  ),
  Name: query(
    'name',
    'only resources with exactly this name: shown on groups (S4.10), a reasonable reading where other resources have a name (R21)',
    text,
  ),
  PageSize: query(
    'page_size',
    'results per page, 50 without it and 200 at most (S4.11); what another number does is left open, but no page holds more than 200 (R19)',
    { type: 'integer', minimum: 1, maximum: 200, default: 50 },
  ),
  PageToken: query(
    'page_token',
    'the nextPageToken of the page before, an opaque string (S4.12); all other parameters but skip are sent again as they were (R14); after three days it restarts the query (S8.3)',
    text,
  ),
  OrderBy: query(
    'order_by',
    'a field, optionally followed by a space and `desc`; name and created_at are such fields (S4.13), what another one does is left open (R18); the space is sent as %20 (R47)',
    { type: 'string', pattern: '^\\S+( desc)?$', examples: ['name', 'name desc', 'created_at', 'created_at desc'] },
  ),
  Skip: query('skip', 'how many results to leave out (S4.14); what a negative number does is left open (R20)', {
    type: 'integer',
    minimum: 0,
  }),
  UpdateMask: query(
    'updateMask',
    'the fields that may change, all others in the body are ignored (S4.27); several are separated by commas (R31)',
    { type: 'string', examples: ['description', 'name,description'] },
  ),
}

export const refToParameter = (name: keyof typeof parameters) => ({ $ref: `#/components/parameters/${name}` })

/** A uid in the path, which may hold slashes. */
export function inPath(name: string, of: SchemaName, what: string): Json {
  return {
    name,
    in: 'path',
    required: true,
    description: `${what}; a slash in it is written as it is (R48), so that it may span several segments of the path, which OpenAPI cannot express: see x-path-template`,
    schema: uidOf(of),
  }
}

/** The parameters of the token exchange (S5.3). */
export const exchangeParameters = [
  { ...query('aud', 'the address of the API, as the audience (S5.3)', text), required: true },
  { ...query('identity', 'the uid of the identity to assume (S5.3)', uidOf('identity')), required: true },
]
