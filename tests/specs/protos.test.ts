import { execFileSync } from 'node:child_process'
import { cpSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { delimiter, join } from 'node:path'
import { expect, test } from 'vitest'
import { packageRoot } from '../../cli/input/package.ts'
import { kinds } from '../../helpers/api/kinds.ts'
import { methodOf, publishedServices, resourceMember, serviceOf, servicesIn } from '../../schemas/proto/services.ts'

const protos = join(packageRoot, 'schemas/proto')

/** The files below a folder with their texts. */
function textsIn(folder: string): Record<string, string> {
  const paths = readdirSync(folder, { recursive: true }).map(String)
  const files = paths.filter((path) => statSync(join(folder, path)).isFile()).sort()
  return Object.fromEntries(files.map((path) => [path, readFileSync(join(folder, path), 'utf8')]))
}

test('what is generated from the protos is as they are', () => {
  const folder = mkdtempSync(join(tmpdir(), 'protos-'))
  cpSync(protos, folder, { recursive: true, filter: (path) => !path.endsWith('gen') })
  const PATH = `${join(packageRoot, 'node_modules/.bin')}${delimiter}${process.env.PATH}`
  execFileSync('buf', ['generate'], { cwd: folder, env: { ...process.env, PATH } })
  const written = textsIn(join(folder, 'gen'))
  if (process.env.UPDATE_PROTOS) cpSync(join(folder, 'gen'), join(protos, 'gen'), { recursive: true })
  rmSync(folder, { recursive: true })

  expect(textsIn(join(protos, 'gen'))).toEqual(written)
})

test.each(Object.values(kinds))('$plural have a service with the methods that are published', (kind) => {
  const service = serviceOf(publishedServices(), kind.plural, 'v2beta1')!
  const names = kind.offered.map((operation) => methodOf(service, operation)?.name)
  const [plural, singular] = [kind.plural, kind.name].map((word) => word[0]!.toUpperCase() + word.slice(1))

  expect(service.typeName).toBe(`chainguard.platform.${kind.family}.v2beta1.${plural}Service`)
  expect(names).toEqual(
    kind.offered.map((operation) =>
      operation === 'list' ? `List${plural}` : operation[0]!.toUpperCase() + operation.slice(1) + singular,
    ),
  )
  const writes = (['create', 'update'] as const).filter((one) => (kind.offered as readonly string[]).includes(one))
  expect(writes.map((one) => resourceMember(methodOf(service, one)!))).toEqual(writes.map(() => kind.name))
})

test('another prefix and version give the same services in other packages', () => {
  const services = servicesIn(publishedServices('example.api', 'v2'))

  expect(services).toHaveLength(10)
  expect(services.map(({ typeName }) => typeName)).toContain('example.api.registry.v2.ReposService')
  expect(servicesIn(publishedServices())[0]!.typeName).toMatch(/^chainguard\.platform\./)
})
