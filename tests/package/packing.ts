import { chmodSync, mkdirSync, mkdtempSync, realpathSync } from 'node:fs'
import { rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { TestProject } from 'vitest/node'
import { suite } from '../../cli/input/package.ts'
import { checkOut } from './checkout.ts'
import { npm } from './programs.ts'

/** What all tests of the package share. */
interface Packed {
  /** A fresh clone, with its dependencies, in which the suite was built and packed. */
  checkout: string
  /** The packed suite. */
  tarball: string
  /** A folder that was empty before the suite was installed there. */
  installed: string
}

declare module 'vitest' {
  interface ProvidedContext {
    packed: Packed
  }
}

/** Packs the suite as a release is packed, and installs it, once for all files of the project. */
export async function setup(project: TestProject): Promise<() => Promise<void>> {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), 'rmapi package ')))
  // one test looks from an account without rights
  chmodSync(folder, 0o755)
  const checkout = join(folder, 'checkout')
  const installed = join(folder, 'installed')
  const tarball = join(folder, `${suite.name}-${suite.version}.tgz`)
  checkOut(checkout)
  await npm(['ci'], checkout)
  await npm(['pack', '--pack-destination', folder], checkout)
  mkdirSync(installed)
  // without a prefix, npm would install into a folder above that has packages
  await npm(['install', '--prefix', installed, tarball], installed)
  project.provide('packed', { checkout, tarball, installed })
  // not in one go: vitest would take its workers for hung meanwhile
  return () => rm(folder, { recursive: true, force: true })
}
