import type { Fields } from '../../domain/item.ts'
import { type Variant, variant } from '../../fault.ts'
import type { Replacement } from '../../replace.ts'

/** Every resource shown differently, those that a binding embeds included. */
function shown(change: (fields: Fields) => Fields): Replacement {
  const inner = (part: unknown) => part && change(part as Fields)
  return (contract) => ({
    group: (...given) => change(contract.group(...given)),
    identity: (...given) => change(contract.identity(...given)),
    role: (...given) => change(contract.role(...given)),
    identityProvider: (...given) => change(contract.identityProvider(...given)),
    accountAssociation: (...given) => change(contract.accountAssociation(...given)),
    groupInvite: (...given) => change(contract.groupInvite(...given)),
    repo: (...given) => change(contract.repo(...given)),
    tag: (...given) => change(contract.tag(...given)),
    advisory: (...given) => change(contract.advisory(...given)),
    roleBinding(...given) {
      const { identity, group, role, ...fields } = contract.roleBinding(...given)
      return { ...change(fields), identity: inner(identity), group: inner(group), role: inner(role) }
    },
  })
}

const without =
  (member: string, unset: unknown) =>
  ({ [member]: value, ...fields }: Fields): Fields =>
    value === unset || value === undefined ? fields : { ...fields, [member]: value }

/** Lawful ways to write an answer. */
export const runAnswersVariants: readonly Variant[] = [
  variant('a create answers 201 and an update 202', () => ({
    successStatus: ({ operation }) => (operation === 'create' ? 201 : operation === 'update' ? 202 : 200),
  })),
  variant('an unset description is left out', shown(without('description', ''))),
  variant('verified is left out where it is false', shown(without('verified', false)), ['group.verified.shown']),
  variant(
    'an unset description is null',
    (contract) => ({
      group: (...given) => {
        const fields = contract.group(...given)
        return { ...fields, description: fields.description || null }
      },
    }),
    ['service.nulls'],
  ),
  variant('every answer holds more than the contract names', (contract) => ({
    ...shown((fields) => ({
      '@type': 'type.reference.test/resource',
      ...fields,
      etag: '"5"',
      labels: { a: null },
      id: fields.uid,
      parent: null,
    }))(contract),
    listBody: (parts, at) => ({
      kind: 'list',
      results: parts.items.length,
      items: [],
      ...contract.listBody(parts, at),
      unreachable: [],
    }),
    deleted: () => ({}),
  })),
  variant('JSON is spread out and escaped', () => ({
    text: (body) =>
      ` \r\n${JSON.stringify(body, null, '\t').replace(/[^\n\t -~]|[/<&]/g, (character) =>
        character === '/' ? '\\/' : `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`,
      )}\n`,
  })),
  variant('the members of every answer are in reverse order', () => ({
    text: (body) =>
      JSON.stringify(body, (_key, value) =>
        value && typeof value === 'object' && !Array.isArray(value)
          ? Object.fromEntries(Object.entries(value).reverse())
          : value,
      ),
  })),
  variant('the members of an answer are in another order each time', () => {
    let turn = 0
    const turned = (_key: string, value: unknown) => {
      if (!value || typeof value !== 'object' || Array.isArray(value)) return value
      const members = Object.entries(value)
      const first = turn % Math.max(1, members.length)
      return Object.fromEntries([...members.slice(first), ...members.slice(0, first)])
    }
    return {
      text(body) {
        turn++
        return JSON.stringify(body, turned)
      },
    }
  }),
  variant('JSON is indented, in lines that end in CR and LF', () => ({
    text: (body) => JSON.stringify(body, null, 2).replaceAll('\n', '\r\n'),
  })),
]
