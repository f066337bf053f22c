import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { type Contract, readContract } from '../../reports/text/contract.ts'

const manifest = createRequire(import.meta.url).resolve('rmapi-conformance/package.json')

/** The folder of the package: the same in the sources, in `dist` and when installed. */
export const packageRoot = dirname(manifest)

/** The suite by name and version. */
export const suite: { name: string; version: string } = (({ name, version }) => ({ name, version }))(
  JSON.parse(readFileSync(manifest, 'utf8')) as { name: string; version: string },
)

/** The contract that this version of the suite examines. */
export function contractOfSuite(): Contract {
  return readContract(readFileSync(join(packageRoot, 'specs/contract.md'), 'utf8'))
}
