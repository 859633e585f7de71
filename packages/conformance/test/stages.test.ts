import { expect, test } from 'vitest'
import type { Plan } from '../src/plans/plan.ts'
import { chooseNextStage } from '../src/run/stages.ts'

function plan(id: string, beside?: Plan['beside']): Plan {
  return { id, wants: [], run: async () => undefined, ...(beside && { beside }) }
}

const EDITS = [plan('one', 'edits'), plan('two', 'edits'), plan('three')]
const WAITS = [plan('one', 'waits'), plan('two', 'waits')]
const FAST = { isSlow: false, isClockMoved: false }

test.each([
  { title: 'one plan that runs alone', plans: [plan('one'), plan('two')], ids: ['one'] },
  { title: 'one plan where responses are fast', plans: EDITS, ids: ['one'] },
  {
    title: 'the plans beside each other where responses take long',
    plans: EDITS,
    of: { isSlow: true, isClockMoved: false },
    ids: ['one', 'two'],
  },
  { title: 'all plans that wait for the service', plans: WAITS, ids: ['one', 'two'] },
  {
    title: 'one plan that moves the clock',
    plans: WAITS,
    of: { isSlow: true, isClockMoved: true },
    ids: ['one'],
  },
])('it begins with $title', ({ plans, of = FAST, ids }) => {
  const left = [...plans]
  const stage = chooseNextStage(left, of)
  left.splice(0, stage.length)
  expect(stage.map(({ id }) => id)).toEqual(ids)
})
