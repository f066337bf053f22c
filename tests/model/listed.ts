import type { TraceExchange } from '../../schemas/types.ts'

/** A list of groups, as a trace has it: the exchange of that number, sent at a time in milliseconds. */
export const listed = (n: number, sent: number): TraceExchange => ({
  line: 'exchange',
  seq: n,
  n,
  ticket: n,
  for: 'shared',
  attempt: 1,
  operation: 'group.list',
  phase: 'act',
  method: 'GET',
  below: 'api',
  path: '/iam/v2beta1/groups',
  query: [],
  credential: 'good',
  sent,
  answered: sent + 10,
  wall: new Date(Date.UTC(2026, 0, 1) + sent).toISOString(),
  status: 200,
  headers: { 'content-type': 'application/json' },
  text: '{"groups":[]}',
})

const time = new Date(Date.UTC(2026, 0, 1)).toISOString()

/** A group as an answer shows it, named after the end of its uid. */
export const shownGroup = (uid: string) => ({
  uid,
  name: `name ${uid.at(-1)}`,
  description: '',
  resourceLimits: {},
  verified: false,
  createTime: time,
  updateTime: time,
})
