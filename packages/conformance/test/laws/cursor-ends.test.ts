import { expect, test } from 'vitest'
import { answers, type Body, problem, shows, withBody } from './broken.ts'
import { found, HELD, runOf } from './held.ts'

const run = runOf('cursor-ends', { operations: ['listImmediateQrCodes'] })

test('holds on the right service', async () => {
  expect(await run()).toEqual(HELD)
})

test('finds a cursor on the last page', async () => {
  const fault = shows('listImmediateQrCodes', (body) => ({ ...body, next_cursor: 'c_more' }))
  expect(await run(fault)).toEqual(found('discovery cursor-ends listImmediateQrCodes'))
})

test('finds a page that its own cursor does not lead to', async () => {
  const fault = answers('listImmediateQrCodes', (reply, { path }) =>
    path.includes('cursor=') ? problem(400) : withBody(reply, firstOfMany),
  )
  expect(await run(fault)).toEqual(found('discovery cursor-ends listImmediateQrCodes'))
})

/** A full page that names a next one. */
function firstOfMany(body: Body): unknown {
  const [name] = Object.entries(body).find(([, it]) => Array.isArray(it)) ?? ['']
  return { ...body, [name]: Array(100).fill({}), next_cursor: 'c_next' }
}
