import { expect, test } from 'vitest'
import { answers, both, refuses, shows, withBody } from './broken.ts'
import { CHARGES, found, HELD, runOf, UNJUDGED, WEBHOOKS } from './held.ts'
import { runOf as runOfFaulty } from './relayed.ts'

const run = runOf('echo-equals-request', { operations: [...WEBHOOKS, 'createTransfer'] })
const runCodes = runOf('echo-equals-request', {
  operations: ['createStaticQrCode', ...CHARGES],
})

test('holds on the right service', async () => {
  expect(await run()).toEqual(HELD)
})

test('finds a creation that shows another value than it was given', async () => {
  const fault = answers('createWebhook', (reply) =>
    withBody(reply, (body) => ({ ...body, url: 'https://partner.example.com/other' })),
  )
  expect(await run(fault)).toEqual(found('failure echo-equals-request createWebhook'))
})

test('finds a read that shows another value than it was given', async () => {
  const fault = answers('getWebhook', (reply) => withBody(reply, (body) => ({ ...body, type: 'qrcode' })))
  expect(await run(fault)).toEqual(found('failure echo-equals-request getWebhook'))
})

test('finds a transfer of another amount', async () => {
  const fault = answers('createTransfer', (reply) =>
    withBody(reply, (body) => ({ ...body, data: { ...body.data, amount: '0.02' } })),
  )
  expect(await run(fault)).toEqual(found('failure echo-equals-request createTransfer'))
})

test('finds a read that shows one of several kinds as another', async () => {
  const fault = shows('getWebhook', (body) => (body.type === 'transfer' ? { ...body, type: 'all' } : body))
  expect(await run(fault)).toEqual(found('failure echo-equals-request getWebhook'))
})

test('finds a read that shows another value of the first record alone', async () => {
  const ids: string[] = []
  const fault = both(
    shows('getWebhook', (body) => (ids[0] === body.id ? { ...body, url: `${body.url}/other` } : body)),
    shows('createWebhook', (body) => ({ ...body, id: ids[ids.push(body.id) - 1] })),
  )
  expect(await run(fault)).toEqual(found('failure echo-equals-request getWebhook'))
})

test('finds letters beyond ASCII that come back as others', async () => {
  const fault = shows('createStaticQrCode', (body) => ({ ...body, message: body.message.replace('ã', '?') }))
  expect(await runCodes(fault)).toEqual(found('failure echo-equals-request createStaticQrCode'))
})

test('finds pairs in another order', async () => {
  const fault = shows('createImmediateQrCode', (body) => ({
    ...body,
    additional_infos: body.additional_infos.toReversed(),
  }))
  expect(await runCodes(fault)).toEqual(found('failure echo-equals-request createImmediateQrCode'))
})

test('finds a member that is gone from within', async () => {
  const fault = shows('createImmediateQrCode', ({ payer: { name: _, ...payer }, ...body }) => ({
    ...body,
    payer,
  }))
  expect(await runCodes(fault)).toEqual(found('failure echo-equals-request createImmediateQrCode'))
})

test('is not judged where nothing can be made', async () => {
  expect(await run(both(refuses('createWebhook'), refuses('createTransfer')))).toEqual(UNJUDGED)
})

test('finds a transfer with another amount beside its data', async () => {
  const fault = shows('createTransfer', (body) => ({ ...body, amount: '0.02' }))
  expect(await run(fault)).toEqual(found('failure echo-equals-request createTransfer'))
})

test('finds a description that is cut off', async () => {
  const fault = answers('createTransfer', (reply) =>
    withBody(reply, (body) => ({
      ...body,
      ...(body.data && { data: { ...body.data, description: body.data.description?.slice(0, 100) } }),
    })),
  )
  expect(await run(fault)).toEqual(found('failure echo-equals-request createTransfer'))
})

const runFaulty = runOfFaulty('echo-equals-request')

test.each([
  ['description-without-faces', 'failure echo-equals-request createTransfer'],
  ['static-message-composed', 'failure echo-equals-request createStaticQrCode'],
  ['payer-name-composed', 'failure echo-equals-request createDueDateQrCode'],
  ['url-loses-its-query', 'failure echo-equals-request getWebhook'],
  ['url-in-small-letters', 'failure echo-equals-request getWebhook'],
  ['static-amount-of-a-float', 'failure echo-equals-request createStaticQrCode'],
  ['large-static-amount-rounded', 'failure echo-equals-request createStaticQrCode'],
])('finds %s', async (fault, line) => {
  expect((await runFaulty(fault)).found).toContain(line)
})
