import { generateKeyPairSync } from 'node:crypto'
import { cpSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { everything } from '../../cli/input/selections.ts'
import { digestsOf } from '../../cli/run/suite-digest.ts'
import {
  envelopeText,
  openEnvelope,
  publicPem,
  signed,
  signingKey,
  statementOf,
} from '../../reports/certificate/attestation.ts'
import { certificateProblems, contradictions, strangeness } from '../../reports/certificate/certificate.ts'
import { digestOf, sealed } from '../../reports/model/digests.ts'
import { mergeResumed } from '../../reports/model/merge-resumed.ts'
import type { Report, Requirement } from '../../schemas/types.ts'
import { checkSubmission, runSuite } from '../support/built.ts'
import { ended, start } from '../support/child.ts'

const keys = {
  ed25519: generateKeyPairSync('ed25519'),
  ec: generateKeyPairSync('ec', { namedCurve: 'P-256' }),
  rsa: generateKeyPairSync('rsa', { modulusLength: 2048 }),
}
const pem = (key: (typeof keys)['ec']['privateKey']) => key.export({ type: 'pkcs8', format: 'pem' }).toString()

let folder = ''
let report: Report
const cli = (...args: string[]) => ended(start(folder, args))

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'rmapi certify '))
  await runSuite({ values: { RMAPI_SEED: '1' }, selection: everything, out: join(folder, 'out') })
  report = JSON.parse(readFileSync(join(folder, 'out/report.json'), 'utf8')) as Report
  writeFileSync(join(folder, 'key.pem'), pem(keys.ed25519.privateKey))
  writeFileSync(join(folder, 'other.pem'), publicPem(keys.ec.privateKey))
  writeFileSync(join(folder, 'rsa.pem'), pem(keys.rsa.privateKey))
})
afterAll(() => rmSync(folder, { recursive: true, force: true }))

describe('what never becomes a certificate', () => {
  const failing = (one: Requirement): Requirement => ({ ...one, outcome: 'fail', note: 'no' })
  test.each<[string, (sound: Report) => Partial<Report>, RegExp]>([
    ['a filtered run', () => ({ selection: { ...everything, only: ['group.*'] } }), /filtered/],
    ['a profile alone', () => ({ selection: { ...everything, profiles: ['core'] } }), /filtered/],
    ['a shard', () => ({ selection: { ...everything, shard: { index: 1, of: 2 } }, cases: [] }), /one shard/],
    ['a run that only read', () => ({ readOnly: true }), /read-only/],
    ['a run that was cut short', () => ({ problems: ['the run was interrupted'] }), /interrupted/],
    ['a partial run', () => ({ verdict: 'partial' }), /verdict is partial/],
    [
      'a failing run',
      ({ requirements }) => ({
        verdict: 'nonconformant',
        requirements: requirements.map((one, at) => (at === 0 ? failing(one) : one)),
      }),
      /verdict is nonconformant/,
    ],
    ['a report without digests', () => ({ digests: undefined as never }), /no digests/],
  ])('%s', (_what, change, why) => {
    expect(certificateProblems(report)).toEqual([])
    expect(certificateProblems({ ...report, ...change(report) }).join('\n')).toMatch(why)
  })

  test('a report that contradicts itself', () => {
    const must = report.requirements.findIndex(({ level }) => level === 'must')
    const forged = report.requirements.map((one, at) => (at === must ? failing(one) : one))

    expect(contradictions(report)).toEqual([])
    expect(contradictions({ ...report, requirements: forged })).toEqual(
      expect.arrayContaining([expect.stringMatching(/^the verdict is conformant, but comes to nonconformant/)]),
    )
    expect(contradictions({ ...report, configuration: {} })).toEqual([
      expect.stringMatching(/^the digest of the configuration/),
    ])
  })

  test('is refused in words', async () => {
    const partial = { ...report, selection: { ...everything, only: ['a'] }, verdict: 'partial' }
    writeFileSync(join(folder, 'partial.json'), JSON.stringify(partial))
    const [refused, rsa] = await Promise.all([
      cli('certify', 'partial.json', '--out', 'none'),
      cli('certify', 'out/report.json', '--out', 'none', '--key', 'rsa.pem'),
    ])

    expect(refused).toMatchObject({
      code: 2,
      stderr: expect.stringMatching(/partial\.json cannot be certified: it was filtered/),
    })
    expect(rsa).toMatchObject({
      code: 2,
      stderr: expect.stringMatching(/rsa\.pem is a key for rsa: an Ed25519 or ECDSA key is needed/),
    })
    expect(readdirSync(folder)).not.toContain('none')
  })
})

describe('a submission', () => {
  beforeAll(async () => {
    const certify = ['certify', 'out/report.json', '--vendor', 'Example Ltd']
    const came = await Promise.all([
      cli(...certify, '--key', 'key.pem', '--out', 'signed'),
      cli(...certify, '--out', 'plain'),
    ])
    for (const { stderr, last } of came) expect([stderr, last]).toEqual(['', 'CERTIFIED embedded reference 0.1.0'])
  })

  test('is found valid, with and without a signature, and by whose key', async () => {
    const [enclosed, plain, other, again] = await Promise.all([
      cli('verify', 'signed'),
      cli('verify', 'plain', '--json'),
      cli('verify', 'signed', '--key', 'other.pem'),
      cli('certify', 'out/report.json', '--out', 'plain'),
    ])

    expect(enclosed).toMatchObject({ code: 0, last: 'VALID' })
    expect([plain.code, JSON.parse(plain.stdout)]).toEqual([
      0,
      { valid: true, problems: [], remarks: [expect.stringContaining('Nobody signed')] },
    ])
    expect(other).toMatchObject({
      code: 1,
      stdout: expect.stringMatching(/was signed by the key [0-9a-f]{64}, not by/),
    })
    expect(again).toMatchObject({ code: 2, stderr: expect.stringContaining('plain is there already') })
  })

  const files = ['README.md', 'product.json', 'report.json', 'report.md', 'evidence/exchanges.json', 'SHA256SUMS']
  test.each([...files, 'public-key.pem', 'attestation.dsse.json'])('shows a changed byte in %s', async (file) => {
    const forged = join(folder, 'forged')
    cpSync(join(folder, 'signed'), forged, { recursive: true })
    const path = join(forged, file)
    const bytes = readFileSync(path)
    // every seventh of a short file, some of a long one, and both ends
    const step = Math.max(7, Math.floor(bytes.length / 25))
    const places = [...Array(Math.ceil(bytes.length / step)).keys()].map((at) => at * step)
    for (const at of [...places, bytes.length - 1]) {
      const changed = Buffer.from(bytes)
      changed[at]! ^= 1
      writeFileSync(path, changed)
      expect((await checkSubmission(forged)).problems, `byte ${at}`).not.toEqual([])
    }
    writeFileSync(path, bytes.subarray(0, -1))
    expect((await checkSubmission(forged)).problems, 'cut').not.toEqual([])
    rmSync(path)
    await expect(async () => {
      const { problems } = await checkSubmission(forged)
      if (problems.length > 0) throw new Error('found')
    }, 'gone').rejects.toThrow()
    rmSync(forged, { recursive: true })
  })

  test('shows a file that was added, a signature that was taken off, and digests that were made to fit', async () => {
    const forged = join(folder, 'forged')
    cpSync(join(folder, 'plain'), forged, { recursive: true })
    writeFileSync(join(forged, 'more.txt'), 'x')
    expect((await checkSubmission(forged)).problems).toEqual(['more.txt is no part of the submission'])
    rmSync(join(forged, 'more.txt'))

    const forgedReport = { ...report, requirements: report.requirements.slice(1) }
    const text = `${JSON.stringify(sealed(forgedReport), null, 2)}\n`
    const before = readFileSync(join(forged, 'SHA256SUMS'), 'utf8')
    writeFileSync(join(forged, 'report.json'), text)
    const { createHash } = await import('node:crypto')
    const digest = createHash('sha256').update(text).digest('hex')
    writeFileSync(join(forged, 'SHA256SUMS'), before.replace(/^\w+( {2}report\.json)$/m, `${digest}$1`))
    expect((await checkSubmission(forged)).problems).toEqual(
      expect.arrayContaining([expect.stringMatching(/^1 requirements of the suite are missing/)]),
    )
    expect((await checkSubmission(forged, join(folder, 'other.pem'))).problems[0]).toMatch(/nobody signed this/)
  })
})

describe('an attestation', () => {
  test.each(['ed25519', 'ec'] as const)('by %s is an in-toto test result in a DSSE envelope', (kind) => {
    const statement = statementOf(report, [{ name: 'report.json', digest: { sha256: 'ab' } }])
    const envelope = signed(statement, signingKey(pem(keys[kind].privateKey)))
    const opened = openEnvelope(envelopeText(envelope), keys[kind].publicKey)

    expect(opened).toEqual(statement)
    expect(opened).toMatchObject({
      _type: 'https://in-toto.io/Statement/v1',
      predicateType: 'https://in-toto.io/attestation/test-result/v0.1',
      predicate: { result: 'PASSED', failedTests: [], configuration: expect.any(Array) },
    })
    expect(envelope.payloadType).toBe('application/vnd.in-toto+json')
    const other = kind === 'ec' ? keys.ed25519 : keys.ec
    expect(() => openEnvelope(envelopeText(envelope), other.publicKey)).toThrow(/was signed by the key/)
  })
})

test('a digest does not hang on the order of members', () => {
  expect(digestOf({ a: 1, b: [{ c: 2, d: 3 }] })).toBe(digestOf({ b: [{ d: 3, c: 2 }], a: 1 }))
  expect(digestOf([1, 2])).not.toBe(digestOf([2, 1]))
})

test('a run becomes a certificate together with one that went on with it, and without it does not', () => {
  const untold = (one: Requirement): Requirement =>
    one.profile === 'time' ? { ...one, outcome: 'inconclusive', note: 'no clock' } : one
  const judged = (requirements: Requirement[], more: Partial<Report>): Report =>
    sealed({ ...mergeResumed({ ...report, requirements, resumable: 'a' }, []), ...more })
  const first = judged(report.requirements.map(untold), {})
  const time = report.requirements.filter(({ profile }) => profile === 'time')
  const picked = { selection: { ...everything, only: ['list.token.*'] }, resumes: 'a' }
  const later = judged(time, { ...picked, resumed: [] })
  const whole = sealed(mergeResumed(first, [later]))
  const refusals = (one: Report) => [...certificateProblems(one), ...contradictions(one)]

  expect([first.verdict, refusals(first).length]).toEqual(['partial', 1])
  expect(refusals(later)).toContainEqual(expect.stringContaining('filtered'))
  expect([whole.verdict, refusals(whole)]).toEqual(['conformant', []])
  const { files: _, ...digests } = later.digests!
  expect(whole.resumed).toMatchObject([{ told: time.map(({ id }) => id), digests }])
  const filtered = mergeResumed({ ...first, selection: { ...everything, skip: ['list.walk.*'] } }, [later])
  expect(refusals(sealed(filtered))).toContainEqual(expect.stringContaining('filtered'))
  const short = mergeResumed(first, [{ ...later, requirements: time.slice(1) }])
  expect([short.verdict, refusals(sealed(short)).length]).toEqual(['partial', 1])
  const broken = time.map((one): Requirement => (one.level === 'must' ? { ...one, outcome: 'fail', note: 'no' } : one))
  expect(mergeResumed(whole, [{ ...later, requirements: broken }]).verdict).toBe('nonconformant')
  const forged = { ...whole, resumed: [{ ...whole.resumed![0]!, told: ['group.get.answers'] }] }
  expect(refusals(forged)).toContainEqual(expect.stringContaining('may tell of time alone'))
})

test('the files of the suite have the same digests wherever they were built, and what differs is named', () => {
  const packageIn = (name: string, files: Record<string, string>) => {
    for (const [file, text] of Object.entries({ 'package.json': '{"name":"a","version":"1"}', ...files })) {
      mkdirSync(dirname(join(folder, name, file)), { recursive: true })
      writeFileSync(join(folder, name, file), text)
    }
    return digestsOf(join(folder, name))
  }
  const shipped = { 'dist/cli/main.js': 'main', 'schemas/a.json': '{}', 'specs/contract.md': '# Contract' }
  const sources = { 'cli/main.ts': 'main', 'dist/cli/main.js.map': 'map', 'dist/tests/x.js': 'x' }
  const installed = packageIn('installed', {
    ...shipped,
    'package.json': '{"version":"1","name":"a","_from":"b"}',
  })
  const checkout = packageIn('checkout', { ...shipped, ...sources, 'dist/helpers/renamed.js': 'left over' })
  const other = packageIn('other', { ...shipped, 'dist/cli/main.js': 'changed', 'dist/cli/more.js': 'more' })
  const of = (files: Record<string, string>) =>
    strangeness(
      { ...report, digests: { ...report.digests!, files: installed, suite: digestOf(installed) } },
      {
        ...report.suite,
        ids: report.requirements.map(({ id }) => id),
        files,
        contract: report.digests!.contract,
      },
    )

  expect(Object.keys(installed)).toEqual(['dist/cli/main.js', 'package.json', 'schemas/a.json', 'specs/contract.md'])
  expect(of(checkout)).toEqual([])
  expect(of(other)).toEqual([expect.stringMatching(/: dist\/cli\/main\.js, dist\/cli\/more\.js \(new\)$/)])
})
