import { expect, test } from 'vitest'
import { answers, refusing } from './broken.ts'
import { found, HELD, runOf } from './held.ts'

const run = runOf('visible-after-creation')

test('holds on the right service', async () => {
  expect(await run()).toEqual(HELD)
})

test('finds a record that cannot be read after it was created', async () => {
  const fault = answers('getWebhook', refusing(404))
  expect(await run(fault)).toEqual(found('failure visible-after-creation getWebhook'))
})
