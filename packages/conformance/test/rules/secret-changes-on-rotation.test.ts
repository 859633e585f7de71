import { expect, test } from 'vitest'
import { answers, type Fault, refuses, withBody } from './broken.ts'
import { CHARGES, found, HELD, runOf, UNJUDGED, WEBHOOKS } from './held.ts'
import { runOf as runOfFaulty } from './relayed.ts'

const run = runOf('secret-changes-on-rotation', { operations: [...WEBHOOKS, ...CHARGES] })

test('holds on the right service', async () => {
  expect(await run()).toEqual(HELD)
})

test('finds the old secret after a rotation', async () => {
  const fault = oldSecret()
  expect(await run(fault)).toEqual(found('failure secret-changes-on-rotation rotateWebhookSecret'))
})

test('finds the secret of another record', async () => {
  const fault = answers('rotateWebhookSecret', (reply) =>
    withBody(reply, (body) => ({ ...body, id: 'other' })),
  )
  expect(await run(fault)).toEqual(found('failure secret-changes-on-rotation rotateWebhookSecret'))
})

test('is not judged where the rotation is refused', async () => {
  expect(await run(refuses('rotateWebhookSecret'))).toEqual(UNJUDGED)
})

const runFaulty = runOfFaulty('secret-changes-on-rotation')

test.each([
  ['rotation-reactivates', 'failure secret-changes-on-rotation rotateWebhookSecret'],
  ['rotation-forgets-the-type', 'failure secret-changes-on-rotation rotateWebhookSecret'],
])('finds %s', async (fault, line) => {
  expect((await runFaulty(fault)).found).toContain(line)
})

/** Shows the secret of the creation again. */
function oldSecret(): Fault {
  const first: { secret?: string } = {}
  return async (call, next, operation) => {
    const reply = await next(call)
    if (operation === 'createWebhook') withBody(reply, ({ secret }) => Object.assign(first, { secret }))
    return operation === 'rotateWebhookSecret' ? withBody(reply, (body) => ({ ...body, ...first })) : reply
  }
}

test.each([
  ['rotated-credential-of-nobody', 'failure secret-changes-on-rotation rotateWebhookSecret'],
  ['inactive-webhook-not-rotated', 'failure secret-changes-on-rotation rotateWebhookSecret'],
])('finds %s', async (fault, line) => {
  expect((await runFaulty(fault)).found).toContain(line)
})
