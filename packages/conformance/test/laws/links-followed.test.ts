import { expect, test } from 'vitest'
import { answers, refuses, refusing } from './broken.ts'
import { found, HELD, runOf, UNJUDGED } from './held.ts'

const run = runOf('links-followed', { operations: ['getWebhook'] })

test('holds on the right service', async () => {
  expect(await run()).toEqual(HELD)
})

test('finds an id that leads to nothing', async () => {
  const fault = answers('getWebhook', refusing(404))
  expect(await run(fault)).toEqual(found('failure links-followed getWebhook'))
})

test('is not judged where a rule forbids it, or the answer to begin with is refused', async () => {
  expect(await run(refuses('getWebhook', 409))).toEqual(UNJUDGED)
  expect(await run(refuses('getWebhook'))).toEqual(UNJUDGED)
  expect(await run(refuses('createWebhook'))).toEqual(UNJUDGED)
})

test('follows no link that it was not asked about', async () => {
  expect(await run(refuses('deleteWebhook', 404))).toEqual(HELD)
})
