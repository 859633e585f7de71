import { expect, test } from 'vitest'
import { answers, refusing } from './broken.ts'
import { found, HELD, runOf } from './held.ts'

const run = runOf('links-followed', { operations: ['getWebhook'] })

test('holds on the right service', async () => {
  expect(await run()).toEqual(HELD)
})

test('finds an id that leads to nothing', async () => {
  const fault = answers('getWebhook', refusing(404))
  expect(await run(fault)).toEqual(found('failure links-followed getWebhook'))
})
