import { expect, test } from 'vitest'
import { Hearing } from '../../helpers/trace/hearing.ts'
import type { TraceExchange } from '../../schemas/types.ts'
import { listed, shownGroup } from './listed.ts'

const home = 'a'.repeat(40)
const uid = `${home}/${'b'.repeat(16)}`
const made = shownGroup(uid)
const times = { createdAt: made.createTime, updatedAt: made.updateTime }

/** What a Get in v2 shows after v1 has answered such an update, so many milliseconds later. */
function run(shown: object, answered: object, after = 10_000) {
  const late: string[] = []
  const hearing = new Hearing('v2beta1', 5000, { late: ({ row }) => void late.push(row) })
  let n = 0
  const take = (line: Partial<TraceExchange>, answer: object, sent: number) => {
    n += 1
    hearing.take({ ...listed(n, sent), text: JSON.stringify(answer), ...line })
  }
  const v2 = { method: 'GET', path: `/iam/v2beta1/groups/${uid}`, operation: 'group.get' } as const
  const body = { name: made.name, description: 'described' }
  take(
    { operation: 'group.create', method: 'POST', path: `/iam/v2beta1/groups/${home}`, body },
    { ...made, ...body },
    100,
  )
  const put = {
    operation: 'v1.group.update',
    method: 'PUT',
    path: `/iam/v1/groups/${uid}`,
    body: { name: 'other' },
  } as const
  take(put, { id: uid, ...times, ...answered }, 200)
  take(v2, { ...made, ...shown }, 200 + after)
  return { late: [...new Set(late)], found: hearing.rows() }
}

test.for<[string, object, object, string[]]>([
  ['the new name and no description', { name: 'other', description: '' }, { name: 'other', description: '' }, []],
  ['the old name', { description: '' }, { name: 'other', description: '' }, ['model.v1.update']],
  ['the old description', { name: 'other', description: 'described' }, { name: 'other' }, ['model.v1.update']],
])('after an update in v1 that was answered, a Get shows %s', ([, shown, answered, rows]) => {
  expect(run(shown, answered).found).toEqual(rows)
})

test('what v1 wrote may be late in v2', () => {
  const answered = { name: 'other', description: '' }
  expect(run({ description: '' }, answered, 1000)).toEqual({ late: ['model.v1.update'], found: [] })
})
