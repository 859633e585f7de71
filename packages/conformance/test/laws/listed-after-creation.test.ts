import { expect, test } from 'vitest'
import { answers } from './broken.ts'
import { found, HELD, runOf, WEBHOOKS } from './held.ts'

const run = runOf('listed-after-creation', { operations: WEBHOOKS })

test('holds on the right service', async () => {
  expect(await run()).toEqual(HELD)
})

test('finds a list without what was created', async () => {
  const fault = answers('listWebhooks', (reply) => ({ ...reply, text: '[]' }))
  expect(await run(fault)).toEqual(found('failure listed-after-creation listWebhooks'))
})
