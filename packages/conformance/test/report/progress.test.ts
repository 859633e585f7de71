import { expect, test } from 'vitest'
import { createProgress } from '../../src/report/progress.ts'

const STEP = {
  phase: 'invalid requests',
  phaseNumber: 3,
  phases: 10,
  tried: 40,
  rules: 80,
  requests: 1203,
  findings: 2,
  ms: 500,
}
const LINE = 'phase 3 of 10 (invalid requests), rule 40 of 80, 1,203 requests, 2 findings'

function recorder(isTTY: boolean, columns = 80) {
  const written: string[] = []
  return { isTTY, columns, written, write: (text: string) => written.push(text) }
}

test('one line with a percentage on a terminal', () => {
  const stream = recorder(true)
  createProgress(stream).update(STEP)
  expect(stream.written).toEqual([`\r\u001b[2K${`50 %  ${LINE}`.slice(0, 79)}`])
})

test('a line per phase and every fifteen seconds without a terminal', () => {
  const stream = recorder(false)
  const progress = createProgress(stream)
  for (const ms of [500, 15_000, 15_500, 16_000]) progress.update({ ...STEP, ms })
  progress.update({ ...STEP, phase: 'http', phaseNumber: 6, ms: 16_001 })
  progress.end()
  expect(stream.written).toEqual([
    `${LINE}, 500 ms\n`,
    `${LINE}, 15.5 s\n`,
    `${LINE.replace('3 of 10 (invalid requests)', '6 of 10 (http)')}, 16.0 s\n`,
  ])
})

test('updates at most ten times a second, and at once for a new phase', () => {
  const stream = recorder(true)
  const progress = createProgress(stream)
  for (const ms of [0, 50, 99, 100, 150]) progress.update({ ...STEP, ms })
  expect(stream.written).toHaveLength(2)
  progress.update({ ...STEP, phase: 'http', phaseNumber: 6, ms: 151 })
  expect(stream.written).toHaveLength(3)
})

test('never wraps on a narrow terminal, and leaves nothing behind', () => {
  const stream = recorder(true, 20)
  const progress = createProgress(stream)
  progress.update(STEP)
  progress.end()
  progress.end()
  expect(stream.written).toEqual(['\r\u001b[2K50 %  phase 3 of 10', '\r\u001b[2K'])
})
