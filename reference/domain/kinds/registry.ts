import { type Resource, timeAt } from './resource.ts'

/** Repos, read-only (S1.3, S2.16, S4.6). */
export const repos: Resource = {
  family: 'registry',
  operations: ['list', 'get'],
  refuses: () => undefined,
  render: (item, at) => at.world.rules.repo(item, timeAt(at), at),
}

/** The tags of repos, read-only (S1.3). */
export const tags: Resource = {
  family: 'registry',
  operations: ['list', 'get'],
  refuses: () => undefined,
  render: (item, at) => at.world.rules.tag(item, timeAt(at), at),
}

/** Advisories about vulnerabilities, read-only (S1.4). */
export const advisories: Resource = {
  family: 'vulnerabilities',
  operations: ['list', 'get'],
  refuses: () => undefined,
  render: (item, at) => at.world.rules.advisory(item, timeAt(at), at),
}
