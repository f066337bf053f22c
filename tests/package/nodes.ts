import { tmpdir } from 'node:os'
import { run } from './programs.ts'

/** Where a Node of that major version is, which npm fetches unless it has it already. */
export async function nodeOf(major: number | string): Promise<string> {
  const { code, last, stderr } = await run('npx', ['--yes', `node@${major}`, '-p', 'process.execPath'], {
    cwd: tmpdir(),
  })
  if (code !== 0) throw new Error(`npx has no Node ${major}: ${stderr}`)
  return last
}
