import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
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
import { strangeness } from '../../reports/certificate/certificate.ts'
import { digestOf } from '../../reports/model/digests.ts'
import type { Report } from '../../schemas/types.ts'
import { runSuite } from '../support/runs/built.ts'
import { keys, pem } from '../support/submissions.ts'

let folder = ''

let report: Report

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'rmapi certify '))
  await runSuite({ values: { RMAPI_SEED: '1' }, selection: everything, out: join(folder, 'out') })
  report = JSON.parse(readFileSync(join(folder, 'out/report.json'), 'utf8')) as Report
  writeFileSync(join(folder, 'key.pem'), pem(keys.ed25519.privateKey))
  writeFileSync(join(folder, 'other.pem'), publicPem(keys.ec.privateKey))
  writeFileSync(join(folder, 'rsa.pem'), pem(keys.rsa.privateKey))
})

afterAll(() => rmSync(folder, { recursive: true, force: true }))

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
