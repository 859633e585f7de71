import { expect, test } from 'vitest'
import { answers, type Body, reads, withBody } from './broken.ts'
import { found, HELD, runOf } from './held.ts'

const run = runOf('filter-sound-and-complete', { operations: ['listImmediateQrCodes'] })

test('holds on the right service', async () => {
  expect(await run()).toEqual(HELD)
})

test('finds a filter that is not looked at', async () => {
  const fault = reads('listImmediateQrCodes', (call) => ({
    ...call,
    path: call.path.replace(/tax_id=\d+/, ''),
  }))
  expect(await run(fault)).toEqual(found('discovery filter-sound-and-complete listImmediateQrCodes'))
})

test('finds a filter that leaves a record out', async () => {
  const fault = answers('listImmediateQrCodes', (reply, call) =>
    call.path.includes('tax_id=') ? withBody(reply, dropFirst) : reply,
  )
  expect(await run(fault)).toEqual(found('discovery filter-sound-and-complete listImmediateQrCodes'))
})

/** A list without its first record. */
function dropFirst(body: Body): Body {
  const [name = '', items] = Object.entries(body).find(([, it]) => Array.isArray(it)) ?? []
  return { ...body, [name]: Array.isArray(items) ? items.slice(1) : items }
}
