import { execFileSync } from 'node:child_process'
import { cpSync, existsSync, mkdirSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { packageRoot } from '../../cli/input/package.ts'

/** Copies into a folder what a clone would hold, as it is in the work tree. */
export function checkOut(folder: string): void {
  const git = ['ls-files', '-z', '--cached', '--others', '--exclude-standard']
  const paths = execFileSync('git', git, { cwd: packageRoot }).toString().split('\0')
  // what is deleted but not yet committed is named, too
  for (const path of paths.filter((one) => one !== '' && existsSync(join(packageRoot, one)))) {
    mkdirSync(dirname(join(folder, path)), { recursive: true })
    cpSync(join(packageRoot, path), join(folder, path))
  }
}
