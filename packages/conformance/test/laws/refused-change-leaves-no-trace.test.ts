import { expect, test } from 'vitest'
import { type Fault, isSuccess } from './broken.ts'
import { found, HELD, runOf, WEBHOOKS } from './held.ts'

const run = runOf('refused-change-leaves-no-trace', { operations: WEBHOOKS })

test('holds on the right service', async () => {
  expect(await run()).toEqual(HELD)
})

test('finds a record of a creation that was refused', async () => {
  const fault = writesFirst('createWebhook', { type: 'all', url: 'https://partner.example.com/pix/events' })
  expect(await run(fault)).toEqual(found('failure refused-change-leaves-no-trace createWebhook'))
})

test('finds an update that was refused and made', async () => {
  const fault = writesFirst('updateWebhook', {
    status: 'inactive',
    type: 'all',
    url: 'https://partner.example.com/pix/events',
  })
  expect(await run(fault)).toEqual(found('failure refused-change-leaves-no-trace updateWebhook'))
})

/** Does what is asked, and then refuses what is wrong with it. */
function writesFirst(operation: string, right: object): Fault {
  return async (call, next, called) => {
    const reply = await next(call)
    if (called === operation && !isSuccess(reply)) await next({ ...call, body: JSON.stringify(right) })
    return reply
  }
}
