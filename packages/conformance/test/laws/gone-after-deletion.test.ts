import { expect, test } from 'vitest'
import { accepts, type Body, type Fault, withBody } from './broken.ts'
import { found, HELD, runOf } from './held.ts'

const run = runOf('gone-after-deletion', { operations: ['createWebhook'] })

test('holds on the right service', async () => {
  expect(await run()).toEqual(HELD)
})

test('finds a record that can still be read', async () => {
  const fault = accepts('getWebhook')
  expect(await run(fault)).toEqual(found('failure gone-after-deletion getWebhook'))
})

test('finds a record that is still listed', async () => {
  const fault = listsAll()
  expect(await run(fault)).toEqual(found('failure gone-after-deletion deleteWebhook'))
})

test('takes a second deletion that succeeds for a discovery', async () => {
  const fault = accepts('deleteWebhook', () => true, 204)
  expect(await run(fault)).toEqual(found('discovery gone-after-deletion deleteWebhook'))
})

/** Lists what was created, whatever became of it. */
function listsAll(): Fault {
  const created: Body[] = []
  return async (call, next, operation) => {
    const reply = await next(call)
    if (operation === 'createWebhook') withBody(reply, (body) => created.push(body))
    return operation === 'listWebhooks' ? withBody(reply, () => created) : reply
  }
}
