import { expect, test } from 'vitest'
import { answers, type Fault, ok, problem, reads, refuses, withItems } from './broken.ts'
import { found, HELD, runOf, UNJUDGED } from './held.ts'
import { runOf as runOfFaulty } from './relayed.ts'

const run = runOf('pages-disjoint-and-complete', { operations: ['listImmediateQrCodes', 'listWebhooks'] })

test('holds on the right service', async () => {
  expect(await run()).toEqual(HELD)
})

test('finds a record that is on two pages', async () => {
  const fault = overlapping()
  expect(await run(fault)).toEqual(found('deviation pages-disjoint-and-complete listImmediateQrCodes'))
})

test('finds a record that is on no page', async () => {
  const fault = answers('listImmediateQrCodes', (reply, call) =>
    call.path.includes('cursor=') ? reply : withItems(reply, (items) => items.slice(1)),
  )
  expect(await run(fault)).toEqual(found('deviation pages-disjoint-and-complete listImmediateQrCodes'))
})

test('finds a cursor that does not lead on', async () => {
  const fault = reads('listImmediateQrCodes', (call) => ({
    ...call,
    path: call.path.replace(/&cursor=.*/, ''),
  }))
  expect(await run(fault)).toEqual(found('deviation pages-disjoint-and-complete listImmediateQrCodes'))
})

test('finds a page that cannot be had', async () => {
  const fault = answers('listImmediateQrCodes', (reply, call) =>
    call.path.includes('cursor=') ? problem(400) : reply,
  )
  expect(await run(fault)).toEqual(found('deviation pages-disjoint-and-complete listImmediateQrCodes'))
})

test('finds a page of more than was asked for', async () => {
  const fault = reads('listImmediateQrCodes', (call) => ({
    ...call,
    path: call.path.replace('limit=2', 'limit=3'),
  }))
  expect(await run(fault)).toEqual(found('deviation pages-disjoint-and-complete listImmediateQrCodes'))
})

test('finds a cursor that gives the same cursor beside other records', async () => {
  const fault = answers('listImmediateQrCodes', (reply, { path }) => {
    const cursor = new URL(path, 'http://in.process').searchParams.get('cursor')
    return cursor === null ? reply : ok({ data: [{ id: crypto.randomUUID() }], next_cursor: cursor })
  })
  expect(await run(fault)).toEqual(found('deviation pages-disjoint-and-complete listImmediateQrCodes'))
})

test('finds a page of nothing that leads on', async () => {
  const fault = answers('listImmediateQrCodes', (reply, { path }) =>
    path.includes('cursor=') ? ok({ data: [], next_cursor: crypto.randomUUID() }) : reply,
  )
  expect(await run(fault)).toEqual(found('deviation pages-disjoint-and-complete listImmediateQrCodes'))
})

test('is not judged where nothing can be made', async () => {
  expect(await run(refuses('createImmediateQrCode'))).toEqual(UNJUDGED)
})

test('looks at no list that it was not asked about', async () => {
  expect(await run(refuses('listDueDateQrCodes'))).toEqual(HELD)
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

const runFaulty = runOfFaulty('pages-disjoint-and-complete')

test.each([['pages-by-offset', 'deviation pages-disjoint-and-complete listImmediateQrCodes']])(
  'finds %s',
  async (fault, line) => {
    expect((await runFaulty(fault)).found).toContain(line)
  },
)
