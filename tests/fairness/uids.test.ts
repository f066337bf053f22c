import { describe, expect, test } from 'vitest'
import { Journal } from '../../helpers/api/journal.ts'
import { isCanonical, levelsBelow } from '../../helpers/api/resource-path.ts'
import { isMarkedDeleted } from '../../helpers/assertions/deletion-marks.ts'

const journalWith = (...made: ['identities' | 'roleBindings', string][]) => {
  const journal = new Journal('operators')
  journal.root = 'operators/run'
  for (const [kind, uid] of made) {
    const entry = journal.before(kind, 'operators/run', { name: 'ours', identityUid: 'i' })
    journal.after(entry, { uid, name: 'ours' })
  }
  return journal
}

describe('a uid is a name of the target’s own (R10)', () => {
  test.each(['a1/b2', 'a1/b2.c3', 'svc@org.iam.example', 'urn:x:y', 'Müller, <7>!', '42'])('is written: %s', (uid) => {
    expect(isCanonical(uid)).toBe(true)
    expect(() => journalWith(['identities', uid]).guard(uid)).not.toThrow()
  })

  test.each([
    'a//b',
    'a/../b',
    '.',
    'a/',
    'a%2fb',
    'a?b',
    'a#b',
    'a;b',
    'a\\b',
    ' a',
    'a\u0000',
    'a.',
    'a/b./c',
    '\uff0e\uff0e/a',
    'a\uff0fb',
    'x'.repeat(2_001),
  ])('is read and never written: %s', (uid) => {
    const journal = journalWith(['identities', uid])

    expect(journal.made(uid)).toBe(true)
    expect(() => journal.guard(uid)).toThrow(/nothing is written there/)
  })

  test('is made only where it could be deleted, with a segment as long as that of its group', () => {
    const journal = journalWith()
    const segment = `/${'x'.repeat(199)}`
    const almost = `operators/run${segment.repeat(9)}`
    for (const [group, levels] of [
      ['operators/run', 496],
      [`operators/run${segment}`, 8],
      [almost.slice(0, -13), 1],
      [almost, 0],
    ] as const)
      expect(levelsBelow(group)).toBe(levels)

    expect(() => journal.before('groups', 'operators/run', {})).not.toThrow()
    expect(() => journal.before('groups', almost, {})).toThrow(/could not be deleted/)
    expect(() => journal.before('identities', almost, {})).toThrow(/could not be deleted/)
  })

  test('two kinds may use one, each for something else', () => {
    const journal = journalWith(['identities', '7'], ['roleBindings', '7'])

    expect(journal.entryOf('7', 'identities')?.kind).toBe('identities')
    expect(journal.entryOf('7', 'roleBindings')?.kind).toBe('roleBindings')
    expect(journal.made('7', 'groups')).toBe(false)
  })
})

describe('what is deleted may say so in any words (R28)', () => {
  test.each([
    { deleteTime: '2026-01-01T00:00:00Z' },
    { deletionTimestamp: '2026-01-01T00:00:00Z' },
    { isDeleted: true },
    { removedAt: 1 },
    { tombstone: true },
    { status: 'deleted' },
    { lifecycleState: 'TERMINATED' },
    { timeDeleted: '2026-01-01T00:00:00Z' },
    { _deleted: true },
    { isdeleted: 1 },
    { isSoftDeleted: 'Y' },
    { softDeleteTime: '2026-01-01T00:00:00Z' },
    { markedForDeletion: true },
    { deletedBy: 'somebody' },
    { deleted_at: { Time: '2026-01-01T00:00:00Z', Valid: true } },
    { metadata: { lifecycle: { deleted: true } } },
    { metadata: { conditions: [{ state: 'DELETE_REQUESTED' }] } },
    { status: { value: 'soft-deleted' } },
  ])('%o', (mark) => {
    expect(isMarkedDeleted({ json: { uid: 'a', ...mark } })).toBe(true)
  })

  test.each([
    {},
    { deleted: false },
    { deleteTime: null },
    { state: 'ACTIVE' },
    { removable: true },
    { name: 'deleted' },
    { metadata: { name: 'deleted', description: 'removed' } },
    { deletable: true },
    { deleteProtection: true },
    { deletionPolicy: 'RETAIN' },
    { undeleted: true },
    { notDeleted: true },
    { canDelete: true },
    { onDelete: 'cascade' },
    { autoDelete: true },
    { isDeleted: 'false' },
    { deleted_at: { Time: '0001-01-01T00:00:00Z', Valid: false } },
    { deletedChildren: 3 },
    { state: 'UNDELETED' },
    { status: 'NOT_DELETED' },
    { status: { deleted: false } },
    { permissions: { delete: true } },
    { _links: { delete: { href: 'https://a.test/groups/a' } } },
  ])('but %o says nothing of the kind', (mark) => {
    expect(isMarkedDeleted({ json: { uid: 'a', ...mark } })).toBe(false)
  })
})
