import { describe, expect, test } from 'vitest'
import { statementOf } from '../../reports/certificate/attestation.ts'
import { certificateProblems } from '../../reports/certificate/certificate.ts'
import { coveredBy } from '../../reports/certificate/covered.ts'
import { productOf, submissionReadme } from '../../reports/certificate/submission.ts'
import { beyondRemedy, remedyFor } from '../../reports/judge/remedies.ts'
import type { Profile, Report, Verdict } from '../../schemas/types.ts'
import { reportWith, row } from '../support/sample-report.ts'

/** A report of two parts: core, which is conformant, and sts, which is something else. */
function reportOf(verdict: Verdict, sts: Verdict, asked: Profile[] = []): Report {
  const base = reportWith([row('x', 'pass')])
  const [one] = base.requirements
  const counts = {
    must: { passed: 1, total: 1 },
    should: { passed: 0, total: 0 },
    observed: 0,
    inconclusive: 0,
    error: 0,
  }
  return {
    ...base,
    verdict,
    problems: [],
    selection: { only: [], skip: [], profiles: asked },
    profiles: [
      { profile: 'core', verdict: 'conformant', ...counts },
      { profile: 'sts', verdict: sts, ...counts },
    ],
    requirements: [
      { ...one!, id: 'group.get.answers', level: 'must', profile: 'core', outcome: 'pass' },
      {
        ...one!,
        id: 'tag.list.answers',
        profile: 'core',
        outcome: 'not offered',
        note: 'this target does not offer tag.list or tag.get: it was answered 404',
      },
      {
        ...one!,
        id: 'sts.match.updated',
        level: 'must',
        profile: 'sts',
        outcome: sts === 'nonconformant' ? 'fail' : 'inconclusive',
        note: "this target does not trust the suite's own token issuer",
      },
    ],
  }
}

const aboutParts = (report: Report, asked?: Profile[]) =>
  certificateProblems(report, asked).filter((problem) => !/digests/.test(problem))

describe('a certificate', () => {
  test('covers the parts that are conformant, and names the others', () => {
    const report = reportOf('partial', 'partial')

    expect(coveredBy(report)).toEqual({
      profiles: ['core'],
      notCovered: [{ profile: 'sts', verdict: 'partial' }],
      notOffered: ['tag.get', 'tag.list'],
    })
    expect(aboutParts(report)).toEqual([])
  })

  test('covers the parts that are asked for, or none', () => {
    expect(aboutParts(reportOf('partial', 'partial'), ['core'])).toEqual([])
    expect(aboutParts(reportOf('partial', 'partial'), ['core', 'sts'])).toEqual([
      expect.stringMatching(/^its verdict is partial for sts: sts\.match\.updated \(let the target trust the issuer/),
    ])
    expect(aboutParts(reportOf('partial', 'partial', ['core', 'sts']))).toHaveLength(1)
    expect(aboutParts(reportOf('partial', 'partial', ['core']))).toEqual([])
    expect(aboutParts(reportOf('partial', 'partial'), ['grpc'])).toEqual(['it does not examine the part grpc'])
  })

  test('leaves out a nonconformant part only where that is asked for by name', () => {
    const report = reportOf('nonconformant', 'nonconformant')

    expect(aboutParts(report)).toEqual([expect.stringMatching(/^its verdict is nonconformant for sts/)])
    expect(aboutParts(report, ['core'])).toEqual([])
  })

  test('says what it covers, what it does not, and what is not offered', () => {
    const report = reportOf('partial', 'partial')
    const product = productOf(report, {})
    const readme = submissionReadme(report, product, false)

    expect(product).toMatchObject(coveredBy(report))
    expect(readme).toContain('Conformant: core.')
    expect(readme).toContain('not covered: sts (partial).')
    expect(readme).toContain('`tag.list`')
    expect(readme).toContain('export RMAPI_VERSION=v2\n')
    // what npm installs must not be added to the submission
    expect(readme).toMatch(/In that folder[^`]+```sh\nnpx --no-install rmapi-conformance verify …\n/)
    expect(statementOf(report, []).predicate).toMatchObject({ result: 'PASSED', passedTests: ['group.get.answers'] })
  })
})

describe('a reason for inconclusive', () => {
  test.each([
    [{ note: 'RMAPI_REGISTRY_GROUP_UID is not set: nothing can be read' }, /^set RMAPI_REGISTRY_GROUP_UID/],
    [{ note: 'group.create was answered 429 8 times: the target is too busy' }, /--rate-limit/],
    [{ note: 'the token seems to lack the right to get groups' }, /give the token the right/],
    [{ note: 'group.create got no answer (other side closed): whether it arrived is open' }, /run again/],
    [{ note: '…', blockedBy: 'group.get.answers' }, /^fix group\.get\.answers first$/],
    [{ note: 'group.create was answered 400: {"code":9,"details":[]}' }, /RMAPI_GROUP_UID, or raise its limits$/],
    [{ note: 'this target lets no claim match change: 412 code 9' }, new RegExp(beyondRemedy)],
    [
      { note: 'identity.create was answered 422 code 3: this target does not take its claimMatch' },
      /^let the target trust the issuer .*RMAPI_IDENTITY_UID$/,
    ],
    [
      { note: 'roleBinding.create was answered 400 code 3: this target does not take its role' },
      /bind the role viewer$/,
    ],
    [{ note: 'ties: found 0, needed 1' }, new RegExp(beyondRemedy)],
    [
      { note: 'ties: found 0, needed 1, because a is undecided: RMAPI_REGISTRY_GROUP_UID is not set' },
      /^set RMAPI_REGISTRY_GROUP_UID/,
    ],
  ])('says what can be done about it, %j', (one, remedy) => {
    expect(remedyFor(one, 'partial')).toMatch(remedy)
  })

  test('is looked for among the failures where there are some', () => {
    expect(remedyFor({ note: 'ties: found 0, needed 1' }, 'nonconformant')).toMatch(/^fix what failed first/)
    expect(remedyFor({ note: 'ties: found 0, needed 1' }, 'undetermined')).toMatch(/^run again/)
    expect(remedyFor({ note: 'calls over gRPC: found 0, needed 1' }, 'nonconformant')).toMatch(/^fix what failed first/)
  })

  test('is no failure where the note says what lawful thing the target does', () => {
    const note = 'this target lets no claim match change: 400 code 3'
    expect(remedyFor({ note }, 'nonconformant')).toBe(beyondRemedy)
  })
})
