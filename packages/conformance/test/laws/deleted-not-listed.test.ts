import { expect, test } from 'vitest'
import { type Body, type Fault, withBody } from './broken.ts'
import { found, HELD, runOf, WEBHOOKS } from './held.ts'

const run = runOf('deleted-not-listed', { operations: WEBHOOKS })

test('holds on the right service', async () => {
  expect(await run()).toEqual(HELD)
})

test('finds a record that is still listed', async () => {
  const fault = listsAll()
  expect(await run(fault)).toEqual(found('failure deleted-not-listed listWebhooks'))
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
