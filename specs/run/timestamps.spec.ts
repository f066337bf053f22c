import { expect } from 'vitest'
import { madeKinds } from '../../helpers/api/kinds.ts'
import { mostApart } from '../../helpers/assertions/timestamps.ts'
import { everyAnswer } from '../../helpers/case/every-answer.ts'
import { requirement, requirementOnEach } from '../../helpers/case/requirement.ts'
import { enoughTimes, isEnough } from '../../helpers/invariants/precision.ts'

for (const [id, level, of, timestamps] of [
  ['time.format', 'must', 'shown', 'Every timestamp of the run is'],
  ['time.format.unshown', 'should', 'unshown', 'Timestamps of kinds without listed fields are'],
] as const) {
  everyAnswer(
    {
      id,
      level,
      statement: 'S2.4, R2, R49',
      quote: 'RFC 3339 timestamps in UTC with a precision of milliseconds',
      says: `${timestamps} RFC 3339 in UTC with at most three fraction digits`,
    },
    {
      of: ({ times }) => times[of],
      least: level === 'must' ? 10 : 1,
      what: 'timestamps',
      expected: 'RFC 3339 in UTC with at most three fraction digits',
      got: ({ member, value }) => `${member} ${value}`,
    },
  )
}

requirementOnEach(
  madeKinds,
  {
    id: 'time.precision',
    level: 'must',
    statement: 'S2.4, R1, R2',
    quote: 'with a precision of milliseconds',
    says: 'Times of {many} are not all whole seconds',
    alone: 'whole run',
  },
  (kind) =>
    async ({ run, atLeast }) => {
      const written = run.allAnswers.precision.of(kind).filter(isEnough)
      atLeast(1, `times of ${enoughTimes} resources, not all of one moment`, written.length)

      const whole = written.filter(({ fractions }) => fractions === 0).map(({ member }) => member)
      expect(whole, 'the members that never have a fraction').toEqual([])
    },
)

requirementOnEach(
  madeKinds,
  {
    id: 'time.precision.kept',
    level: 'should',
    statement: 'S2.4, R1, R2',
    quote: 'Where every one of them has `.000`, the precision is written but not kept',
    restsOn: ['time.precision'],
    says: 'Times of {many} do not all have a fraction of zeros',
    alone: 'whole run',
  },
  (kind) =>
    async ({ run, atLeast }) => {
      const written = run.allAnswers.precision.of(kind).filter(isEnough)
      atLeast(1, `times of ${enoughTimes} resources, not all of one moment`, written.length)

      const zeros = written.filter(({ fractions, kept }) => fractions > 0 && kept === 0).map(({ member }) => member)
      expect(zeros, 'the members whose fraction is always zero').toEqual([])
    },
)

requirement(
  {
    id: 'time.clock.all',
    level: 'must',
    statement: 'S2.4, R2',
    quote: "has a `createTime` within 20 minutes of the target's own clock",
    restsOn: ['time.clock'],
    says: "Every createTime of the run is within 20 minutes of the target's own clock",
    alone: 'whole run',
  },
  async ({ run, evidence, hookTime, atLeast }) => {
    const { createTimes, lastDate } = run.allAnswers
    const times = createTimes.apart(lastDate, await hookTime(createTimes.areDated))
    atLeast(1, 'answers with a createTime and a clock to compare it with', times.length)

    const off = times.filter(({ minutes }) => Math.abs(minutes) >= mostApart)
    evidence.push(...off.map(({ exchange }) => exchange))
    expect(
      off.map(({ words }) => words),
      `createTimes ${mostApart} minutes or more from the target's clock`,
    ).toEqual([])
  },
)

requirement(
  {
    id: 'time.clock.updates',
    level: 'should',
    statement: 'S2.4, R2, R26',
    quote: 'RFC 3339 timestamps in UTC with a precision of milliseconds',
    restsOn: ['time.clock.all'],
    says: "No Update of the run shows an updateTime 20 minutes ahead of the target's own clock",
    alone: 'whole run',
  },
  async ({ run, evidence, hookTime, atLeast }) => {
    const { updateTimes, lastDate } = run.allAnswers
    const times = updateTimes.apart(lastDate, await hookTime(updateTimes.areDated))
    atLeast(1, 'answers with an updateTime and a clock to compare it with', times.length)

    // an Update that changes nothing need not move it (R26)
    const ahead = times.filter(({ minutes }) => minutes >= mostApart)
    evidence.push(...ahead.map(({ exchange }) => exchange))
    expect(
      ahead.map(({ words }) => words),
      `updateTimes ${mostApart} minutes or more ahead of the target's clock`,
    ).toEqual([])
  },
)

everyAnswer(
  {
    id: 'time.form',
    level: 'should',
    statement: 'S2.4, R2',
    quote: 'writing `+00:00`, `-00:00` or lower-case letters is a warning',
    says: 'Every timestamp is written with T, Z and at most three fraction digits',
  },
  { of: ({ times }) => times.form, least: 10, what: 'timestamps', expected: 'T, Z and at most three fraction digits' },
)

requirement(
  {
    id: 'time.digits',
    level: 'observe',
    statement: 'S2.4, R2',
    quote: 'with a precision of milliseconds',
    says: 'How many fraction digits a timestamp has',
    alone: 'whole run',
  },
  async ({ run, observe, atLeast }) => {
    const { form, digits } = run.allAnswers.times
    atLeast(10, 'timestamps', form.met)

    observe(digits.size === 1 ? `always ${[...digits]}` : `at most ${Math.max(...digits)}`)
  },
)
