import { expect, test } from 'vitest'
import { answers, type Fault, problem, reads, withItems } from './broken.ts'
import { found, HELD, runOf } from './held.ts'

const run = runOf('pages-disjoint-and-complete', { operations: ['listImmediateQrCodes'] })

test('holds on the right service', async () => {
  expect(await run()).toEqual(HELD)
})

test('finds a record that is on two pages', async () => {
  const fault = overlapping()
  expect(await run(fault)).toEqual(found('discovery pages-disjoint-and-complete listImmediateQrCodes'))
})

test('finds a record that is on no page', async () => {
  const fault = answers('listImmediateQrCodes', (reply, call) =>
    call.path.includes('cursor=') ? reply : withItems(reply, (items) => items.slice(1)),
  )
  expect(await run(fault)).toEqual(found('discovery pages-disjoint-and-complete listImmediateQrCodes'))
})

test('finds a cursor that does not lead on', async () => {
  const fault = reads('listImmediateQrCodes', (call) => ({
    ...call,
    path: call.path.replace(/&cursor=.*/, ''),
  }))
  expect(await run(fault)).toEqual(found('discovery pages-disjoint-and-complete listImmediateQrCodes'))
})

test('finds a page that cannot be had', async () => {
  const fault = answers('listImmediateQrCodes', (reply, call) =>
    call.path.includes('cursor=') ? problem(400) : reply,
  )
  expect(await run(fault)).toEqual(found('discovery pages-disjoint-and-complete listImmediateQrCodes'))
})

test('finds a page of more than was asked for', async () => {
  const fault = reads('listImmediateQrCodes', (call) => ({
    ...call,
    path: call.path.replace('limit=2', 'limit=3'),
  }))
  expect(await run(fault)).toEqual(found('discovery pages-disjoint-and-complete listImmediateQrCodes'))
})

/** Begins each page with the last record of the one before. */
function overlapping(): Fault {
  let last: unknown
  return answers('listImmediateQrCodes', (reply) =>
    withItems(reply, (items) => {
      const shown = [last ?? items[0], ...items.slice(1)]
      last = items.at(-1)
      return shown
    }),
  )
}
