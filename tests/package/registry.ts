import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { packageRoot, suite } from '../../cli/input/package.ts'
import { run } from './programs.ts'

/** A registry on the loopback. */
interface Registry {
  url: string
  close(): void
}

/** Starts a registry that has the packed suite, and sends for all else to the one that npm is set to. */
export async function registryWith(tarball: string): Promise<Registry> {
  const { last: onward } = await run('npm', ['config', 'get', 'registry'], { cwd: packageRoot })
  const bytes = readFileSync(tarball)
  const manifest = JSON.parse(readFileSync(`${packageRoot}/package.json`, 'utf8'))
  const server = createServer(({ url = '' }, response) => {
    const here = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
    if (url === `/${suite.name}.tgz`) response.end(bytes)
    else if (url === `/${suite.name}`) {
      const integrity = `sha512-${createHash('sha512').update(bytes).digest('base64')}`
      const dist = { tarball: `${here}/${suite.name}.tgz`, integrity }
      const versions = { [suite.version]: { ...manifest, dist } }
      const document = { name: suite.name, 'dist-tags': { latest: suite.version }, versions }
      response.setHeader('content-type', 'application/json').end(JSON.stringify(document))
    } else response.writeHead(302, { location: new URL(url.slice(1), onward).href }).end()
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const close = () => {
    server.closeAllConnections()
    server.close()
  }
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/`, close }
}
