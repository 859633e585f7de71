import { expect, test } from 'vitest'
import { type Body, type Fault, refuses, withBody } from './broken.ts'
import { without } from './contracts.ts'
import { CHARGES, found, HELD, runOf, UNJUDGED, WEBHOOKS } from './held.ts'

const run = runOf('deleted-not-listed', { operations: [...WEBHOOKS, ...CHARGES] })
const unlisted = runOf('deleted-not-listed', {
  contract: without('listWebhooks'),
  operations: WEBHOOKS.filter((it) => it !== 'listWebhooks'),
})

test('holds on the right service', async () => {
  expect(await run()).toEqual(HELD)
})

test('finds a record that is still listed', async () => {
  const fault = listsAll()
  expect(await run(fault)).toEqual(found('failure deleted-not-listed listWebhooks'))
})

test('is not judged where the deletion is refused', async () => {
  expect(await run(refuses('deleteWebhook'))).toEqual(UNJUDGED)
})

test('is not judged where nothing lists the records', async () => {
  expect(await unlisted()).toEqual(UNJUDGED)
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
