import { expect, test } from 'vitest'
import { bodyOf, both, type Fault, isSuccess, refuses } from './broken.ts'
import { CHARGES, found, HELD, runOf, UNJUDGED, WEBHOOKS } from './held.ts'

const run = runOf('refused-change-leaves-no-trace', { operations: WEBHOOKS })
const runCharge = runOf('refused-change-leaves-no-trace', { operations: CHARGES })

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

test('finds a record of a creation that was refused for what it repeats', async () => {
  const fault: Fault = async (call, next, called) => {
    const reply = await next(call)
    if (called !== 'createImmediateQrCode' || reply.status !== 409) return reply
    await next({
      ...call,
      body: JSON.stringify({ ...bodyOf(call), tx_id: crypto.randomUUID().replaceAll('-', '') }),
    })
    return reply
  }
  expect(await runCharge(fault)).toEqual(
    found('failure refused-change-leaves-no-trace createImmediateQrCode'),
  )
})

test('says nothing of a change that is accepted', async () => {
  expect(await run(both(takes('createWebhook'), takes('updateWebhook')))).toEqual(UNJUDGED)
})

test('is not judged where the list cannot be had', async () => {
  expect(await runCharge(refuses('listImmediateQrCodes'))).toEqual(UNJUDGED)
})

/** Takes what is wrong for right. */
function takes(operation: string): Fault {
  const right = { status: 'inactive', type: 'all', url: 'https://partner.example.com/pix/events' }
  return async (call, next, called) => {
    const reply = await next(call)
    const { status: _, ...made } = right
    const body = JSON.stringify(operation === 'createWebhook' ? made : right)
    return called === operation && !isSuccess(reply) ? next({ ...call, body }) : reply
  }
}

/** Does what is asked, and then refuses what is wrong with it. */
function writesFirst(operation: string, right: object): Fault {
  return async (call, next, called) => {
    const reply = await next(call)
    if (called === operation && !isSuccess(reply)) await next({ ...call, body: JSON.stringify(right) })
    return reply
  }
}
