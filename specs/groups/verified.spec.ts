import { expect } from 'vitest'
import { instant } from '../../helpers/api/instant.ts'
import { isObject } from '../../helpers/api/received.ts'
import { keptAs } from '../../helpers/arrange/observed.ts'
import { outcomeOf } from '../../helpers/assertions/refused.ts'
import { requirement } from '../../helpers/case/requirement.ts'
import { succeeded } from '../../helpers/http/call.ts'

requirement(
  {
    id: 'group.limits.content',
    level: 'observe',
    statement: 'S2.8, R46',
    quote: '`resourceLimits` is an object, and empty as long as no limits are set',
    says: 'Which limits a new group has, and how limits in Create are answered',
  },
  async ({ api, scratch, names, observe }) => {
    const limits = Object.entries(scratch.group.resourceLimits ?? {}).sort()
    const resourceLimits = { clusters: 3 }

    const answer = await api.attempt.groups.create(scratch.uid, { name: names.fresh(), resourceLimits })

    const sent = succeeded(answer) ? keptAs('resourceLimits', resourceLimits)(answer) : outcomeOf(answer)
    const shown = limits.map(([limit, value]) => `${limit} ${JSON.stringify(value)}`).join(', ')
    observe(`new: ${shown || 'none'}; sent: ${sent}`)
  },
)

/** How long nothing but the create can have verified a group, in milliseconds. */
const longestNew = 1_000

requirement(
  {
    id: 'group.verified.new',
    level: 'must',
    statement: 'S2.9, R46',
    quote: 'a new group has false',
    restsOn: ['group.list.same'],
    says: 'A new group is not verified',
  },
  async ({ api, scratch, eventually, atLeast }) => {
    const began = performance.now()
    const made = await scratch.makeGroup()
    const got = await eventually(() => api.groups.get(made.uid))
    // a group that is no longer new may have been verified meanwhile
    const isNew = performance.now() - began < longestNew

    expect(made.verified ?? false, 'verified in Create').toBe(false)
    atLeast(1, 'readings of a group that is still new', isNew || !got.verified ? 1 : 0)
    expect(got.verified ?? false, 'verified in Get').toBe(false)
  },
)

requirement(
  {
    id: 'group.verified.shown',
    level: 'should',
    statement: 'S2.9, R46',
    quote: 'A new group without `verified`: warning',
    restsOn: ['group.list.same'],
    says: 'A new group shows verified as false',
  },
  async ({ scratch }) => {
    expect(scratch.group.verified ?? 'absent', 'verified of a new group').toBe(false)
  },
)

requirement(
  {
    id: 'group.verified.unchosen',
    level: 'must',
    statement: 'S2.9, R5',
    quote: 'may be refused or ignored when a client sends it; it must have no effect',
    restsOn: ['group.list.same', 'list.walk.filter'],
    says: 'A client cannot make a group verified by Create or Update',
  },
  async ({ api, run, scratch, names, eventually, atLeast }) => {
    const verified = true
    // a target may verify groups of some age, so this one is the oldest
    const [name, beside] = [names.fresh(), await scratch.makeKnown()]
    const { uid } = await scratch.makeGroup()
    await api.attempt.groups.create(scratch.uid, { name, verified })
    await api.attempt.groups.update(uid, { verified, description: 'changed' })
    await api.attempt.groups.update(uid, { verified }, { query: { updateMask: 'verified' } })

    const page = await api.groups.list({ ...scratch.children, name })
    const updated = await eventually(() => api.groups.get(uid))

    const others = [await api.groups.get(beside.uid)].filter((group) => group.verified !== true)
    const staying = run.model.hearing.judge.state.flags.has('verifies') ? 0 : others.length
    atLeast(1, 'groups that stay unverified where nobody asks', staying)
    expect(
      { afterCreate: page.items.map((group) => group.verified ?? false), afterUpdate: updated.verified ?? false },
      'verified of a group that was sent it',
    ).toEqual({ afterCreate: page.items.map(() => false), afterUpdate: false })
  },
)

requirement(
  {
    id: 'group.times.unchosen',
    level: 'must',
    statement: 'S2.4, R5',
    quote: 'may be refused or ignored when a client sends it; it must have no effect',
    restsOn: ['list.walk.filter'],
    says: 'A client cannot set createTime or updateTime of a group',
  },
  async ({ api, scratch, names, eventually }) => {
    const chosen = '2001-02-03T04:05:06.007Z'
    const times = { createTime: chosen, updateTime: chosen }
    const name = names.fresh()
    await api.attempt.groups.create(scratch.uid, { name, ...times })
    await api.attempt.groups.update(scratch.uid, { description: 'changed', ...times })

    const page = await api.groups.list({ ...scratch.children, name })
    const shown = [await eventually(() => api.groups.get(scratch.uid)), ...page.items]

    for (const { createTime, updateTime } of shown) {
      expect([instant(createTime), instant(updateTime)], `the times of a group, sent as ${chosen}`).not.toContain(
        instant(chosen),
      )
    }
  },
)

requirement(
  {
    id: 'group.limits.new',
    level: 'must',
    statement: 'S2.8, R46',
    quote: 'empty as long as no limits are set',
    says: 'A new group has empty resourceLimits, or limits set by default',
  },
  async ({ scratch }) => {
    const { resourceLimits = 'absent' } = scratch.group
    const limits = isObject(resourceLimits) ? Object.values(resourceLimits) : [0]

    const isEmptyOrSet = limits.length === 0 || limits.some((limit) => limit !== 0 && limit !== '0')
    const wanted = 'an object, empty or with a limit above zero'
    expect(isEmptyOrSet ? wanted : resourceLimits, 'the resourceLimits of a new group').toBe(wanted)
  },
)
