import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { Validator } from '@seriousme/openapi-schema-validator'
import { expect, test } from 'vitest'
import { contractOfSuite, packageRoot } from '../../cli/input/package.ts'
import { statementsCited } from '../../reports/text/contract.ts'
import { generateOpenapi } from '../support/openapi/document.ts'
import { openapiFile, operations, queryOf } from '../support/openapi/reading.ts'

const text = readFileSync(openapiFile, 'utf8')
const contract = readFileSync(join(packageRoot, 'specs/contract.md'), 'utf8')
const validity = (document: unknown) => new Validator().validate(document as Record<string, unknown>)
const called = ({ method, path }: { method: string; path: string }) =>
  `${method.toUpperCase()} ${path.replace(/\{\w+\}/, '{}')}`

/** The ids of operations, which name what client generators make: they stay. */
const stable = `
  listGroups getGroup createGroup updateGroup deleteGroup
  listIdentities getIdentity createIdentity updateIdentity deleteIdentity
  listRoles getRole createRole updateRole deleteRole
  listRoleBindings getRoleBinding createRoleBinding updateRoleBinding deleteRoleBinding
  listIdentityProviders getIdentityProvider createIdentityProvider updateIdentityProvider deleteIdentityProvider
  listAccountAssociations getAccountAssociation createAccountAssociation updateAccountAssociation
  deleteAccountAssociation
  listGroupInvites getGroupInvite createGroupInvite updateGroupInvite deleteGroupInvite
  listRepos getRepo listTags getTag listAdvisories getAdvisory
  listGroupsV1 getGroupV1 createGroupV1 updateGroupV1 deleteGroupV1 listReposV1
  exchangeToken`

test('the document is fresh', () => {
  const fresh = `${JSON.stringify(generateOpenapi(), null, 2)}\n`
  if (process.env.UPDATE_OPENAPI === '1') writeFileSync(openapiFile, fresh)
  const there = existsSync(openapiFile) ? readFileSync(openapiFile, 'utf8') : ''

  expect(there === fresh, 'schemas/openapi.json is not what schemas and kinds say: run npm run openapi:generate').toBe(
    true,
  )
})

test('an independent validator accepts it, and refuses a document that is no OpenAPI 3.1', async () => {
  const { components, ...rest } = JSON.parse(text)

  expect(await validity(JSON.parse(text))).toEqual({ valid: true })
  expect(await validity({ ...rest, components: { ...components, parameters: {} } })).toMatchObject({ valid: false })
  expect(await validity({ ...rest, components, paths: { groups: {} } })).toMatchObject({ valid: false })
})

test('its operations have the ids that they always had', () => {
  expect(operations.map(({ operationId }) => operationId).sort()).toEqual(stable.trim().split(/\s+/).sort())
})

test('it marks as printed what the contract prints', () => {
  const rows = contract.matchAll(/^\| (GET|POST|PATCH|DELETE) +\| `(?:\{auth_url\})?(\/[^`]+)`/gm)
  const inTables = [...rows].map(([, method = '', path = '']) => called({ method, path }))
  const inV1 = ['GET /iam/v1/groups', 'GET /registry/v1/repos']
  const printed = operations.filter((operation) => operation['x-printed'])

  expect(inTables.length).toBeGreaterThan(10)
  expect(printed.map(called).sort()).toEqual([...inTables, ...inV1].sort())
})

test('each list of v2 takes the list parameters of the contract', () => {
  const [, table = ''] = contract.split('List parameters, on every List endpoint:')
  const [rows = ''] = table.split('A list answers with:')
  const named = [...rows.matchAll(/^\| `([\w.]+)`/gm)].map(([, name]) => name!)
  const lists = operations.filter(({ operationId }) => /^list\w+(?<!V1)$/.test(operationId))

  expect(named.length).toBeGreaterThan(5)
  expect(lists).toHaveLength(10)
  for (const list of lists) expect(queryOf(list).sort(), list.operationId).toEqual(named.sort())
})

test('it cites what the contract has', () => {
  const { statements, rulings } = contractOfSuite()
  const cited = statementsCited(text)

  expect(cited.length).toBeGreaterThan(30)
  expect(cited.filter((id) => !statements.has(id) && !rulings.has(id))).toEqual([])
})
