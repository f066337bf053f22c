import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs'
import { join, relative } from 'node:path'
import { expect, inject, test } from 'vitest'
import { packageRoot, suite } from '../../cli/input/package.ts'

const { checkout, installed, tarball } = inject('packed')
const folder = join(installed, 'node_modules', suite.name)
const files = readdirSync(folder, { recursive: true, withFileTypes: true })
  .filter((entry) => entry.isFile())
  .map(({ parentPath, name }) => relative(folder, join(parentPath, name)))
const own = files.filter((path) => !path.startsWith('node_modules/')).sort()
const text = (path: string) => readFileSync(join(folder, path), 'utf8')
const megabytes = (bytes: number) => bytes / 1e6

test('what is packed is what runs, what is published and what is read', () => {
  const expected =
    /^(dist\/(cli|helpers|reference|reports|schemas|selftest|specs)\/[\w./-]+\.(js|js\.map|d\.ts)|dist\/headers\.json|schemas\/[\w-]+\.json|schemas\/proto\/[\w/]+\.proto|specs\/contract\.md|docs\/(?:decisions\/)?[\w-]+\.md|(README|CHANGELOG)\.md|LICENSE|package\.json|\.env\.example)$/

  expect(own.filter((path) => !expected.test(path))).toEqual([])
  // of no other file can the types be imported
  expect(own.filter((path) => path.endsWith('.d.ts'))).toEqual(['dist/schemas/types.d.ts'])
  for (const path of ['dist/cli/main.js', 'schemas/openapi.json', 'specs/contract.md', 'LICENSE', '.env.example'])
    expect(own).toContain(path)
})

test('each compiled file has a source, and each source map has it in itself', () => {
  const compiled = own.filter((path) => path.endsWith('.js'))
  const maps = own.filter((path) => path.endsWith('.map')).map((path) => JSON.parse(text(path)))
  const source = (path: string) => join(checkout, path.replace(/^dist\//, '').replace(/\.js$/, ''))

  expect(compiled.filter((path) => !existsSync(`${source(path)}.ts`) && !existsSync(`${source(path)}.tsx`))).toEqual([])
  expect(maps.length).toBeGreaterThan(100)
  for (const { sources, sourcesContent } of maps) {
    expect(sourcesContent).toHaveLength(sources.length)
    for (const content of sourcesContent) expect(content).toEqual(expect.any(String))
  }
  // what is examined, and what examines it, is not debugged at a user's
  for (const path of compiled.filter((path) => !/^dist\/(reference|selftest)\//.test(path))) {
    const [, map] = /\n\/\/# sourceMappingURL=(.+)\s*$/.exec(text(path)) ?? []
    expect(own, path).toContain(join(path, '..', map ?? 'no map'))
  }
})

test('nothing says where it was made, or from where its packages came', () => {
  const registry = new RegExp(['npm', 'js\\.(org|com)|registry\\.[a-z-]+\\.(org|com|io|dev)/'].join(''))
  const revealing = own.filter(
    (path) => registry.test(text(path)) || [checkout, packageRoot].some((place) => text(path).includes(place)),
  )

  expect(revealing).toEqual([])
})

test('installing it runs no script of its own, and what it brings along is pinned', () => {
  const { scripts, dependencies, bundleDependencies } = JSON.parse(text('package.json'))
  const brought = files.filter((path) => /^node_modules\/((@[^/]+\/)?[^/]+)\/package\.json$/.test(path))

  expect(Object.keys(scripts).filter((name) => /^(pre|post)?install$/.test(name))).toEqual([])
  for (const version of Object.values(dependencies)) expect(version).toMatch(/^\d+\.\d+\.\d+$/)
  for (const name of bundleDependencies)
    expect(
      brought.map((path) => JSON.parse(text(path))),
      name,
    ).toContainEqual(expect.objectContaining({ name, version: dependencies[name] }))
})

test('it is small', () => {
  const sizes = files.map((path) => statSync(join(folder, path)).size)

  expect(megabytes(statSync(tarball).size)).toBeLessThan(3.25)
  expect(megabytes(sizes.reduce((sum, size) => sum + size, 0))).toBeLessThan(14)
})
