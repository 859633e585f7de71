import { expect, test } from 'vitest'
import { mistakes } from './broken.ts'
import { found, HELD, runOf } from './held.ts'

const run = runOf('foreign-list-hidden', { operations: ['listWebhooks'] })

test('holds on the right service', async () => {
  expect(await run()).toEqual(HELD)
})

test("finds a list of someone else's records", async () => {
  const fault = mistakes('listWebhooks')
  expect(await run(fault)).toEqual(found('failure foreign-list-hidden listWebhooks'))
})
