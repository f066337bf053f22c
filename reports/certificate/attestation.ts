import { createHash, createPrivateKey, createPublicKey, type KeyObject, sign, verify } from 'node:crypto'
import type { Profile, Report } from '../../schemas/types.ts'
import { coveredBy } from './covered.ts'

/** A file of a submission by its path and SHA-256 digest. */
export interface Subject {
  name: string
  digest: { sha256: string }
}

/** An in-toto Statement v1 with a test-result predicate. */
export interface Statement {
  _type: typeof statementType
  subject: Subject[]
  predicateType: typeof predicateType
  predicate: {
    result: 'PASSED' | 'WARNED' | 'FAILED'
    configuration: Subject[]
    passedTests: string[]
    warnedTests: string[]
    failedTests: string[]
  }
}

/** A DSSE envelope: a payload in base64, and who signed it. */
export interface Envelope {
  payload: string
  payloadType: string
  signatures: { keyid: string; sig: string }[]
}

const statementType = 'https://in-toto.io/Statement/v1'
const predicateType = 'https://in-toto.io/attestation/test-result/v0.1'
const payloadType = 'application/vnd.in-toto+json'

/** What a report attests about the files of its submission and the requested parts of the service. */
export function statementOf(report: Report, files: readonly Subject[], asked: readonly Profile[] = []): Statement {
  const { digests, suite, resumed = [] } = report
  const { profiles } = coveredBy(report, asked)
  const requirements = report.requirements.filter(({ profile }) => profiles.includes(profile))
  const named = (...outcomes: string[]) =>
    requirements.flatMap(({ id, outcome }) => (outcomes.includes(outcome) ? [id] : []))
  const [failedTests, warnedTests] = [named('fail', 'error'), named('warning')]
  const of = (name: string, value = '') => ({ name, digest: { sha256: value } })
  return {
    _type: statementType,
    subject: [...files],
    predicateType,
    predicate: {
      result: failedTests.length > 0 ? 'FAILED' : warnedTests.length > 0 ? 'WARNED' : 'PASSED',
      configuration: [
        of(`${suite.name}@${suite.version}`, digests?.suite),
        of('contract.md', digests?.contract),
        of('configuration', digests?.configuration),
        ...resumed.map((part) => of(`configuration of ${part.startedAt}`, part.digests?.configuration)),
      ],
      passedTests: named('pass', 'observed'),
      warnedTests,
      failedTests,
    },
  }
}

/** A private key from PEM text, Ed25519 or ECDSA; throws a plain sentence for any other. */
export function signingKey(pem: string): KeyObject {
  return suited(createPrivateKey(pem))
}

/** A public key from PEM text (a private one gives its public half), Ed25519 or ECDSA. */
export function checkingKey(pem: string): KeyObject {
  return suited(createPublicKey(pem))
}

function suited(key: KeyObject): KeyObject {
  if (key.asymmetricKeyType === 'ed25519' || key.asymmetricKeyType === 'ec') return key
  throw new Error(`is a key for ${key.asymmetricKeyType}: an Ed25519 or ECDSA key is needed`)
}

/** The name of a key: the digest of its public half. */
export function keyId(key: KeyObject): string {
  const half = key.type === 'public' ? key : createPublicKey(key)
  return createHash('sha256')
    .update(half.export({ type: 'spki', format: 'der' }))
    .digest('hex')
}

/** The public half of a key as PEM. */
export function publicPem(key: KeyObject): string {
  return createPublicKey(key).export({ type: 'spki', format: 'pem' }).toString()
}

/** Signs a statement, in the encoding that DSSE defines. */
export function signed(statement: Statement, key: KeyObject): Envelope {
  const bytes = Buffer.from(JSON.stringify(statement))
  const sig = sign(hashFor(key), encoded(bytes), key).toString('base64')
  return { payload: bytes.toString('base64'), payloadType, signatures: [{ keyid: keyId(key), sig }] }
}

/** The text of an envelope: any other text was changed. */
export function envelopeText(envelope: Envelope): string {
  return `${JSON.stringify(envelope, null, 2)}\n`
}

/** The statement in the text of an envelope, if one key signed it; throws a plain sentence if it did not. */
export function openEnvelope(text: string, key: KeyObject): Statement {
  const { payload, payloadType: type, signatures } = JSON.parse(text) as Envelope
  const [{ keyid = '', sig = '' } = {}] = signatures
  const plain: Envelope = { payload, payloadType: type, signatures: [{ keyid, sig }] }
  const bytes = Buffer.from(payload, 'base64')
  const signature = Buffer.from(sig, 'base64')
  const written =
    text === envelopeText(plain) && bytes.toString('base64') === payload && signature.toString('base64') === sig
  if (!written || type !== payloadType) throw new Error('the envelope is not as it was written')
  if (keyid !== keyId(key)) throw new Error(`the envelope was signed by the key ${keyid}, not by ${keyId(key)}`)
  if (!verify(hashFor(key), encoded(bytes), key, signature)) throw new Error('the signature does not fit')
  const statement = JSON.parse(bytes.toString('utf8')) as Statement
  if (statement._type !== statementType || statement.predicateType !== predicateType)
    throw new Error(`the envelope holds a ${statement.predicateType}, not a test result`)
  return statement
}

/** Ed25519 hashes by itself. */
function hashFor({ asymmetricKeyType }: KeyObject): 'sha256' | null {
  return asymmetricKeyType === 'ed25519' ? null : 'sha256'
}

function encoded(bytes: Buffer): Buffer {
  return Buffer.concat([Buffer.from(`DSSEv1 ${payloadType.length} ${payloadType} ${bytes.length} `), bytes])
}
