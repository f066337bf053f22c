import { execFileSync } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { packageRoot as root } from '../../cli/input/package.ts'

/** A source file of the project: its path and its text. */
export interface File {
  path: string
  text: string
}

const git = execFileSync('git', ['ls-files', '--cached', '--others', '--exclude-standard'], { cwd: root })
/** Every file of the project that git knows or would add. */
export const files: File[] = git
  .toString()
  .split('\n')
  .filter((path) => path !== '' && existsSync(join(root, path)))
  .map((path) => ({ path, text: readFileSync(join(root, path), 'utf8') }))
/** Those in TypeScript. */
export const sources = files.filter(({ path }) => /\.tsx?$/.test(path))
