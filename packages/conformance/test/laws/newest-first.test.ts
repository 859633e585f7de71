import { expect, test } from 'vitest'
import { answers, type Body, withBody } from './broken.ts'
import { found, HELD, runOf } from './held.ts'

const run = runOf('newest-first', { operations: ['listImmediateQrCodes'] })

test('holds on the right service', async () => {
  expect(await run()).toEqual(HELD)
})

test('finds a list that begins with the oldest', async () => {
  const fault = answers('listImmediateQrCodes', (reply) => withBody(reply, reversed))
  expect(await run(fault)).toEqual(found('discovery newest-first listImmediateQrCodes'))
})

function reversed(body: Body): Body {
  const [name = '', items] = Object.entries(body).find(([, it]) => Array.isArray(it)) ?? []
  return { ...body, [name]: Array.isArray(items) ? items.toReversed() : items }
}
