import { expect, test } from 'vitest'
import { createProgress } from '../../src/report/progress.ts'

const STEP = { phase: 'examples', cases: 20, requests: 50, findings: 1, ms: 500 }

function recorder(isTTY: boolean, columns = 80) {
  const written: string[] = []
  return { isTTY, columns, written, write: (text: string) => written.push(text) }
}

test('one line on a terminal: phase, cases, requests a second, findings', () => {
  const stream = recorder(true)
  createProgress(stream).update(STEP)
  expect(stream.written).toEqual(['\r\u001b[2Kexamples  20 cases  100 requests/s  1 findings'])
})

test('nothing where it is no terminal', () => {
  const stream = recorder(false)
  const progress = createProgress(stream)
  progress.update(STEP)
  progress.end()
  expect(stream.written).toEqual([])
})

test('at most ten times a second, and at once for a new phase', () => {
  const stream = recorder(true)
  const progress = createProgress(stream)
  for (const ms of [0, 50, 99, 100, 150]) progress.update({ ...STEP, ms })
  expect(stream.written).toHaveLength(2)
  progress.update({ ...STEP, phase: 'twins', ms: 151 })
  expect(stream.written).toHaveLength(3)
})

test('never wraps on a narrow terminal, and leaves nothing behind', () => {
  const stream = recorder(true, 20)
  const progress = createProgress(stream)
  progress.update(STEP)
  progress.end()
  progress.end()
  expect(stream.written).toEqual(['\r\u001b[2Kexamples  20 cases ', '\r\u001b[2K'])
})
