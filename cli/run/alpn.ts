import { isIP } from 'node:net'
import { connect, rootCertificates } from 'node:tls'
import type { Target } from '../../helpers/settings/configuration.ts'

/** True if TLS offers HTTP/2 and no HTTP/1.1 (R57); not asked behind a proxy, which hides it. */
export async function speaksHttp2Alone(target: Target): Promise<boolean> {
  const { protocol } = new URL(target.baseUrl)
  const proxied = process.env.https_proxy ?? process.env.HTTPS_PROXY
  if (protocol !== 'https:' || proxied) return false
  if ((await negotiated(target, 'http/1.1')) === 'http/1.1') return false
  return (await negotiated(target, 'h2')) === 'h2'
}

/** The protocol that the server takes when offered one, if any. */
function negotiated({ baseUrl, ca }: Target, offered: string): Promise<string | undefined> {
  const { hostname, port } = new URL(baseUrl)
  const host = hostname.replace(/^\[|\]$/g, '')
  return new Promise((resolve) => {
    const socket = connect({
      host,
      port: Number(port || 443),
      ALPNProtocols: [offered],
      timeout: 10_000,
      rejectUnauthorized: true,
      ...(isIP(host) ? {} : { servername: host }),
      ...(ca === undefined ? {} : { ca: [...rootCertificates, ca] }),
    })
    const end = (protocol?: string) => {
      socket.destroy()
      resolve(protocol)
    }
    socket.once('secureConnect', () => end(socket.alpnProtocol || undefined))
    socket.once('timeout', () => end())
    // the call itself reports a certificate that is not trusted
    socket.once('error', () => end(socket.alpnProtocol || undefined))
  })
}
