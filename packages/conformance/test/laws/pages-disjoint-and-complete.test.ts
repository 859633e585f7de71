import { expect, test } from 'vitest'
import { answers, type Body, type Fault, problem, reads, withBody } from './broken.ts'
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
    call.path.includes('cursor=') ? reply : withBody(reply, dropFirst),
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

/** Begins each page with the last record of the one before. */
function overlapping(): Fault {
  let last: unknown
  return answers('listImmediateQrCodes', (reply) =>
    withBody(reply, (body) => {
      const [name = '', items] = Object.entries(body).find(([, it]) => Array.isArray(it)) ?? []
      const shown = Array.isArray(items) ? [last ?? items[0], ...items.slice(1)] : []
      last = Array.isArray(items) ? items.at(-1) : undefined
      return { ...body, [name]: shown }
    }),
  )
}

/** A list without its first record. */
function dropFirst(body: Body): Body {
  const [name = '', items] = Object.entries(body).find(([, it]) => Array.isArray(it)) ?? []
  return { ...body, [name]: Array.isArray(items) ? items.slice(1) : items }
}
