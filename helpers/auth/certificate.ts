import { type KeyObject, sign } from 'node:crypto'

/** DER: one value with its tag and its length. */
function der(tag: number, ...parts: readonly Uint8Array[]): Buffer {
  const content = Buffer.concat(parts)
  const size = Buffer.from(content.length.toString(16).padStart(content.length > 255 ? 4 : 2, '0'), 'hex')
  const length = content.length < 128 ? size : Buffer.concat([Buffer.from([0x80 + size.length]), size])
  return Buffer.concat([Buffer.from([tag]), length, content])
}

const [sequence, set, integer, bits, objectId, utf8, time] = [0x30, 0x31, 0x02, 0x03, 0x06, 0x0c, 0x18]
const signedBy: Record<string, string> = { rsa: '2a864886f70d01010b', ec: '2a8648ce3d040302' }
const commonName = '550403'
const version3 = Buffer.from('a003020102', 'hex')

/** A self-signed certificate (RFC 5280), as DER: valid from 2020 to 2049. */
export function selfSigned(
  { privateKey, publicKey }: { privateKey: KeyObject; publicKey: KeyObject },
  name: string,
): Buffer {
  const isRsa = privateKey.asymmetricKeyType === 'rsa'
  const id = der(objectId, Buffer.from(signedBy[isRsa ? 'rsa' : 'ec']!, 'hex'))
  const algorithm = der(sequence, id, ...(isRsa ? [der(0x05)] : []))
  const attribute = der(sequence, der(objectId, Buffer.from(commonName, 'hex')), der(utf8, Buffer.from(name)))
  const named = der(sequence, der(set, attribute))
  const validity = der(sequence, ...['20200101000000Z', '20491231235959Z'].map((at) => der(time, Buffer.from(at))))
  const spki = publicKey.export({ type: 'spki', format: 'der' })
  const serial = der(integer, Buffer.from([1]))
  const signed = der(sequence, version3, serial, algorithm, named, validity, named, spki)
  return der(sequence, signed, algorithm, der(bits, Buffer.from([0]), sign('sha256', signed, privateKey)))
}
