import { spawnSync } from 'node:child_process'
import { cpSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { packageRoot } from '../../cli/input/package.ts'
import { everything } from '../../cli/input/selections.ts'
import { publicPem } from '../../reports/certificate/attestation.ts'
import { certificateProblems, contradictions } from '../../reports/certificate/certificate.ts'
import { sealed } from '../../reports/model/digests.ts'
import { mergeResumed } from '../../reports/model/merge-resumed.ts'
import type { Report, Requirement } from '../../schemas/types.ts'
import { checkSubmission, runSuite } from '../support/runs/built.ts'
import { ended, start } from '../support/runs/child.ts'
import { keys, pem } from '../support/submissions.ts'

let folder = ''

let report: Report

const cli = (...args: string[]) => ended(start(folder, args))

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'rmapi certify '))
  await runSuite({ values: { RMAPI_SEED: '1' }, selection: everything, out: join(folder, 'out'), traced: true })
  report = JSON.parse(readFileSync(join(folder, 'out/report.json'), 'utf8')) as Report
  writeFileSync(join(folder, 'key.pem'), pem(keys.ed25519.privateKey))
  writeFileSync(join(folder, 'other.pem'), publicPem(keys.ec.privateKey))
  writeFileSync(join(folder, 'rsa.pem'), pem(keys.rsa.privateKey))
  const certify = ['certify', 'out/report.json', '--vendor', 'Example Ltd']
  const came = await Promise.all([
    cli(...certify, '--key', 'key.pem', '--out', 'signed'),
    cli(...certify, '--out', 'plain'),
  ])
  for (const { stderr, last } of came)
    expect([stderr, last]).toEqual(['', expect.stringMatching(/^CERTIFIED embedded reference 0\.1\.0: core, /)])
})

afterAll(() => rmSync(folder, { recursive: true, force: true }))

describe('what never becomes a certificate', () => {
  const failing = (one: Requirement): Requirement => ({ ...one, outcome: 'fail', note: 'no' })
  test.each<[string, (sound: Report) => Partial<Report>, RegExp]>([
    ['a filtered run', () => ({ selection: { ...everything, only: ['group.*'] } }), /filtered/],
    [
      'a part that was not examined',
      () => ({ selection: { ...everything, profiles: ['nothing'] } }),
      /does not examine the part nothing/,
    ],
    ['a shard', () => ({ selection: { ...everything, shard: { index: 1, of: 2 } }, cases: [] }), /one shard/],
    ['a run that only read', () => ({ readOnly: true }), /read-only/],
    ['a run that was cut short', () => ({ problems: ['the run was interrupted'] }), /interrupted/],
    [
      'a run of which no part is conformant',
      ({ profiles }) => ({ verdict: 'partial', profiles: profiles.map((each) => ({ ...each, verdict: 'partial' })) }),
      /verdict is partial, and no part/,
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
      {
        valid: true,
        problems: [],
        remarks: [
          expect.stringMatching(/^Stated: .*, examined .*: conformant in core, /),
          expect.stringContaining('This is not signed'),
          expect.stringMatching(/^Computed again: \d+ of \d+ outcomes/),
          expect.stringMatching(/^Compared with the trace: /),
          expect.stringMatching(/^Taken on trust: /),
        ],
      },
    ])
    expect(other).toMatchObject({
      code: 1,
      stdout: expect.stringMatching(/was signed by the key [0-9a-f]{64}, not by .*\nThe signature does not fit: /),
    })
    expect(again).toMatchObject({ code: 2, stderr: expect.stringContaining('plain already exists') })
  })

  const files = ['README.md', 'product.json', 'report.json', 'report.md', 'evidence/exchanges.json', 'SHA256SUMS']
  test.each([...files, 'evidence/trace.ndjson.gz', 'public-key.pem', 'attestation.dsse.json'])(
    'shows a changed byte in %s',
    async (file) => {
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
    },
  )

  test('shows a file that was added, a signature that was taken off, and digests that were made to fit', async () => {
    const forged = join(folder, 'forged')
    cpSync(join(folder, 'plain'), forged, { recursive: true })
    writeFileSync(join(forged, 'more.txt'), 'x')
    expect((await checkSubmission(forged)).problems).toEqual(['more.txt is not part of the submission'])
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
    expect((await checkSubmission(forged, join(folder, 'other.pem'))).problems[0]).toMatch(/this is not signed/)
  })
})

test('a run becomes a certificate together with one that went on with it, and without it does not', () => {
  const undecided = (one: Requirement): Requirement =>
    one.profile === 'time' ? { ...one, outcome: 'inconclusive', note: 'no clock' } : one
  const judged = (requirements: Requirement[], more: Partial<Report>): Report =>
    sealed({ ...mergeResumed({ ...report, requirements, resumable: 'a' }, []), ...more })
  const first = judged(report.requirements.map(undecided), {})
  const time = report.requirements.filter(({ profile }) => profile === 'time')
  const picked = { selection: { ...everything, only: ['list.token.*'] }, resumes: 'a' }
  const later = judged(time, { ...picked, resumed: [] })
  const whole = sealed(mergeResumed(first, [later]))
  const refusals = (one: Report) => [...certificateProblems(one), ...contradictions(one)]

  // the other parts can be certified without the one that needs time
  expect([first.verdict, refusals(first).length]).toEqual(['partial', 0])
  expect(refusals(later)).toContainEqual(expect.stringContaining('filtered'))
  expect([whole.verdict, refusals(whole)]).toEqual(['conformant', []])
  const { files: _, ...digests } = later.digests!
  expect(whole.resumed).toMatchObject([{ told: time.map(({ id }) => id), digests }])
  const filtered = mergeResumed({ ...first, selection: { ...everything, skip: ['list.walk.*'] } }, [later])
  expect(refusals(sealed(filtered))).toContainEqual(expect.stringContaining('filtered'))
  const short = mergeResumed(first, [{ ...later, requirements: time.slice(1) }])
  expect([short.verdict, refusals(sealed(short)).length]).toEqual(['partial', 0])
  const broken = time.map((one): Requirement => (one.level === 'must' ? { ...one, outcome: 'fail', note: 'no' } : one))
  expect(mergeResumed(whole, [{ ...later, requirements: broken }]).verdict).toBe('nonconformant')
  const forged = { ...whole, resumed: [{ ...whole.resumed![0]!, told: ['group.get.answers'] }] }
  expect(refusals(forged)).toContainEqual(expect.stringContaining('decides about time alone'))
})

test('the guide checks a signature with openssl alone', () => {
  const guide = readFileSync(join(packageRoot, 'docs/certifying-a-server.md'), 'utf8')
  const commands =
    /```sh\n(jq [^`]*)```/
      .exec(guide)?.[1]
      ?.split('\n')
      .filter((line) => !/dgst/.test(line)) ?? []
  const signed = join(folder, 'signed')
  const run = (script: string) => spawnSync('sh', ['-ec', script], { cwd: signed, encoding: 'utf8' })
  const script = commands.join('\n').replace('vendor.pem', 'public-key.pem')

  expect(commands.length).toBeGreaterThan(3)
  expect(run(script)).toMatchObject({ status: 0, stdout: expect.stringContaining('Signature Verified Successfully') })
  expect(run(script.replace('DSSEv1', 'DSSEv2')).status).not.toBe(0)
  expect(readFileSync(join(signed, 'report.html'), 'utf8')).toMatch(
    /signed by<\/dt><dd>Example Ltd, with the key [0-9a-f]{64}</,
  )
  for (const file of ['payload.json', 'signature.bin', 'signed.bin']) rmSync(join(signed, file))
})
