import type { Fields, Kind, Operation } from '../../domain/item.ts'
import { Refusal } from '../../domain/refusal.ts'
import { type Fault, fault } from '../../fault.ts'
import { during, on, overGrpc } from '../../replace.ts'

const anything = ['grpc.*']

/** The resources in a message, changed; others as they are. */
const eachOf =
  (change: (item: Fields) => Fields) =>
  (message: Fields, { kind, operation }: { kind: string; operation: string }) => {
    const items = message[kind]
    if (operation === 'list' && Array.isArray(items)) return { ...message, [kind]: items.map(change) }
    return 'uid' in message ? change(message) : message
  }

/** A fault in what a resource shows over gRPC alone. */
const shows = (name: string, kind: Kind, turnsRed: readonly string[], change: (item: Fields) => Fields) =>
  fault(name, { turnsRed, spreadsTo: anything }, overGrpc(on(kind, { grpcMessage: eachOf(change) })))

const without = (member: string) => (item: Fields) =>
  Object.fromEntries(Object.entries(item).filter(([name]) => name !== member))

/** The operations that the contract prints, and those of identities, with the names of their requirements. */
const printed: Partial<Record<Kind, [name: string, operations: readonly Operation[]]>> = {
  groups: ['group', ['list', 'get', 'create', 'update', 'delete']],
  identities: ['identity', ['list', 'get', 'create', 'update', 'delete']],
  roles: ['role', ['list']],
  roleBindings: ['roleBinding', ['create', 'delete']],
  repos: ['repo', ['list']],
}

/** Faults in what gRPC shows, and in whether it answers at all (S1.5, R55, R60). */
export const grpcContentFaults: readonly Fault[] = [
  ...Object.entries(printed).flatMap(([kind, [name, operations]]) =>
    operations.map((operation) =>
      fault(
        `${operation} of ${kind} is refused over gRPC`,
        { turnsRed: [`grpc.${name}.${operation}.answers`], spreadsTo: anything },
        overGrpc(
          on(
            kind as Kind,
            during(operation, {
              grpcRequest() {
                throw new Refusal('invalid', 'request', 'this method takes no such message')
              },
            }),
          ),
        ),
      ),
    ),
  ),
  fault(
    'DeleteGroup is not implemented over gRPC',
    { turnsRed: ['grpc.group.delete.answers'], spreadsTo: anything },
    overGrpc(on('groups', during('delete', { grpcServes: () => false }))),
  ),
  fault(
    'roles over gRPC need a scope',
    { turnsRed: ['grpc.wire.roles-without-scope'], spreadsTo: anything },
    overGrpc(
      on(
        'roles',
        during('list', {
          grpcRequest(request) {
            if (request.uidp === undefined) throw new Refusal('invalid', 'uidp', 'a scope is required')
            return request
          },
        }),
      ),
    ),
  ),
  shows('name and description have each other’s number over gRPC', 'groups', ['grpc.get.same'], (item) => ({
    ...item,
    name: item.description,
    description: item.name,
  })),
  shows(
    'a group has no createTime over gRPC',
    'groups',
    ['grpc.get.same', 'grpc.create.defaults'],
    without('createTime'),
  ),
  shows('the description of a group is missing over gRPC', 'groups', ['grpc.get.same'], without('description')),
  shows('an identity has no claim match over gRPC', 'identities', ['grpc.get.same@identities'], without('claimMatch')),
  shows('an identity has another updateTime over gRPC', 'identities', ['model.*'], (item) => ({
    ...item,
    updateTime: new Date(Date.parse(String(item.updateTime)) + 60_000).toISOString(),
  })),
  shows('a binding embeds no role over gRPC', 'roleBindings', ['grpc.get.same@roleBindings'], without('role')),
  shows(
    'a repo has the name of its group over gRPC',
    'repos',
    ['grpc.get.same@repos', 'grpc.list.same@repos'],
    (item) => ({
      ...item,
      name: String(item.uid).replace(/^.*\//, ''),
    }),
  ),
  shows('a role has no name over gRPC', 'roles', ['grpc.get.same@roles', 'grpc.list.same@roles'], without('name')),
  shows('a tag has no updateTime over gRPC', 'tags', ['grpc.get.same@tags'], without('updateTime')),
  shows('an advisory has no times over gRPC', 'advisories', ['grpc.get.same@advisories'], without('createTime')),
  fault(
    'times over gRPC are whole seconds',
    { turnsRed: ['grpc.get.same'], spreadsTo: [...anything, 'time.*'] },
    overGrpc({ timestamp: (milliseconds) => new Date(Math.floor(milliseconds / 1000) * 1000).toISOString() }),
  ),
]
