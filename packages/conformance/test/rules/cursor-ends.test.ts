import { expect, test } from 'vitest'
import {
  answers,
  type Body,
  both,
  type Fault,
  ok,
  problem,
  reads,
  refuses,
  shows,
  withBody,
} from './broken.ts'
import { found, HELD, runOf } from './held.ts'

const run = runOf('cursor-ends', { operations: ['listImmediateQrCodes', 'getUser'] })

test('holds on the right service', async () => {
  expect(await run()).toEqual(HELD)
})

test('finds a cursor on the last page', async () => {
  const fault = shows('listImmediateQrCodes', (body) => ({ ...body, next_cursor: 'c_more' }))
  expect(await run(fault)).toEqual(found('deviation cursor-ends listImmediateQrCodes'))
})

test('finds a page that its own cursor does not lead to', async () => {
  const fault = answers('listImmediateQrCodes', (reply, { path }) =>
    path.includes('cursor=') ? problem(400) : withBody(reply, full),
  )
  expect(await run(fault)).toEqual(found('deviation cursor-ends listImmediateQrCodes'))
})

test('finds cursors that go round', async () => {
  expect(await run(round('c_first'))).toEqual(found('deviation cursor-ends listImmediateQrCodes'))
})

test('follows cursors to the last page', async () => {
  const fault = answers('listImmediateQrCodes', (reply, call) =>
    call.path.includes('cursor=c_last') ? ok({ data: [], next_cursor: null }) : withBody(reply, full),
  )
  expect(await run(fault)).toEqual(HELD)
})

test('looks at no list that it was not asked about', async () => {
  expect(await run(refuses('listDueDateQrCodes'))).toEqual(HELD)
})

test('finds a cursor on a page that is not full, where another page follows', async () => {
  const fault = answers('listImmediateQrCodes', (_, { path }) =>
    ok({ data: [], next_cursor: path.includes('cursor=') ? null : 'c_last' }),
  )
  expect(await run(fault)).toEqual(found('deviation cursor-ends listImmediateQrCodes'))
})

/** A full page that names a next one. */
function full(body: Body): unknown {
  return { ...body, next_cursor: 'c_last', data: Array(100).fill(body.data?.[0] ?? {}) }
}

/** A list whose pages are all full, and lead to the same one. */
function round(next_cursor: string): Fault {
  const first = reads('listImmediateQrCodes', (call) => ({ ...call, path: call.path.split('&')[0] ?? '' }))
  const full = answers('listImmediateQrCodes', (reply) =>
    withBody(reply, (body) => ({ ...body, next_cursor, data: Array(100).fill(body.data[0]) })),
  )
  return both(full, first)
}
