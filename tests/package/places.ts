import { cpSync, lstatSync, mkdirSync, mkdtempSync, readdirSync, realpathSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, relative } from 'node:path'
import { test as base, inject } from 'vitest'

/** Every file below a folder with what shows whether it was touched, except what is below `reports/out`. */
export function filesIn(folder: string): Record<string, string> {
  const entries = readdirSync(folder, { recursive: true, withFileTypes: true })
  const files = entries.filter((entry) => !entry.isDirectory()).map(({ parentPath, name }) => join(parentPath, name))
  const outside = files.filter((file) => !file.startsWith(join(folder, 'reports/out/')))
  return Object.fromEntries(
    outside.map((file) => {
      const { size, mtimeMs } = lstatSync(file)
      return [relative(folder, file), `${size} bytes at ${mtimeMs}`]
    }),
  )
}

/** Copies the folder into which the packed suite was installed. */
export function copyInstalled(folder: string): void {
  const all = { recursive: true, verbatimSymlinks: true, preserveTimestamps: true }
  cpSync(inject('packed').installed, folder, all)
}

/** Folders that go away with the test. */
export const test = base
  /** A folder whose path has a blank, brackets and letters beyond ASCII. */
  .extend('folder', ({}, { onCleanup }): string => {
    const folder = realpathSync(mkdtempSync(join(tmpdir(), 'rmapi (näch) 例 [x] ')))
    onCleanup(() => rmSync(folder, { recursive: true, force: true }))
    return folder
  })
  /** Home and temporary folder of what is run: nothing may come to stand there. */
  .extend('aside', ({ folder }) => {
    const aside = join(folder, 'aside')
    mkdirSync(aside)
    return aside
  })
  /** A copy of the folder into which the packed suite was installed. */
  .extend('project', ({ folder }) => {
    const project = join(folder, 'project')
    copyInstalled(project)
    return project
  })
