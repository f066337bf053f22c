import type { Kind, Operation } from '../domain/item.ts'
import type { Rules } from '../rules.types.ts'

const inV1: Partial<Record<Kind, readonly Operation[]>> = {
  groups: ['list', 'get', 'create', 'update', 'delete'],
  repos: ['list'],
}

/** The rules about v1 (sections 2 and 9). */
export const versionRules = {
  serves: () => true,
  alsoOffered: () => [],
  offeredInV1: (kind) => inV1[kind] ?? [],
  v1Scope: (asked) => asked,
  v1Listed: (items) => items,
  v1ListBody: (items) => ({ items }),
  v1Group: ({ uid, name, description, resourceLimits, ...item }, time) => ({
    id: uid,
    name,
    description,
    resourceLimits: { clusters: 0, idps: 0, repositories: 0, ...resourceLimits },
    createdAt: time(item.createTime),
    updatedAt: time(item.updateTime),
  }),
  v1Repo: ({ uid, name, description, createTime, updateTime }, time) => ({
    id: uid,
    name,
    description,
    createdAt: time(createTime),
    updatedAt: time(updateTime),
  }),
  v1Other: ({ uid, createTime, updateTime, ...fields }) => ({
    id: uid,
    ...fields,
    createdAt: createTime,
    updatedAt: updateTime,
  }),
  v1Replaced: (sent, _before, settable) => Object.fromEntries(settable.map((field) => [field, sent[field] ?? ''])),
} satisfies Partial<Rules>
