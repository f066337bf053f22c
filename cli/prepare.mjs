// Builds what npm wants ready, unless it is: `npx .` in a checkout calls this each time, and a run that goes on reads dist.
import { spawnSync } from 'node:child_process'
import { existsSync, readdirSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

const root = fileURLToPath(new URL('..', import.meta.url))
const sources = [
  'bench',
  'cli',
  'helpers',
  'reference',
  'reports',
  'schemas',
  'selftest',
  'specs',
  'tsconfig.build.json',
]
/** The last file that a build writes. */
const last = join(root, 'dist/headers.json')

/** When the youngest file at or below a path was changed, in milliseconds since 1970. */
function changed(path) {
  const entry = statSync(path)
  if (!entry.isDirectory()) return entry.mtimeMs
  return Math.max(0, ...readdirSync(path).map((name) => changed(join(path, name))))
}

const there = sources.map((path) => join(root, path)).filter((path) => existsSync(path))
const isFresh = existsSync(last) && statSync(last).mtimeMs >= Math.max(...there.map(changed))
if (!isFresh) process.exitCode = spawnSync('npm', ['run', 'build'], { cwd: root, stdio: 'inherit' }).status ?? 1
