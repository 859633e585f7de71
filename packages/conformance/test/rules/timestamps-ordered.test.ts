import { expect, test } from 'vitest'
import { answers, shows, withBody, withItems } from './broken.ts'
import { found, HELD, runOf, UNJUDGED, WEBHOOKS } from './held.ts'
import { runOf as runOfFaulty } from './relayed.ts'

const run = runOf('timestamps-ordered', {
  beside: ['listed-after-creation', 'visible-after-creation'],
  operations: WEBHOOKS,
})
const runTransfer = runOf('timestamps-ordered', {
  beside: ['example-accepted'],
  operations: ['createTransfer'],
})

const OLD = '2020-01-02T03:04:05Z'

test('holds on the right service', async () => {
  expect(await run()).toEqual(HELD)
})

test('finds a record that was updated before it was created', async () => {
  const fault = shows('getWebhook', (body) => ({ ...body, updated_at: OLD }))
  expect(await run(fault)).toEqual(found('deviation timestamps-ordered getWebhook'))
})

test('finds such a record in a list', async () => {
  const fault = answers('listWebhooks', (reply) =>
    withItems(reply, (items) => [...items, { ...items[0], updated_at: OLD }]),
  )
  expect(await run(fault)).toEqual(found('deviation timestamps-ordered listWebhooks'))
})

test('finds such a record under data', async () => {
  const dates = { created_at: '2020-01-03T03:04:05Z', updated_at: OLD }
  const fault = shows('createTransfer', (body) => ({ ...body, data: { ...body.data, ...dates } }))
  expect(await runTransfer(fault)).toEqual(found('deviation timestamps-ordered createTransfer'))
})

test('says nothing of a refusal', async () => {
  const dates = { created_at: '2020-01-03T03:04:05Z', updated_at: OLD }
  const fault = answers('createTransfer', (reply) =>
    withBody({ ...reply, status: 422 }, (body) => ({ ...body, data: { ...body.data, ...dates } })),
  )
  const found = ['deviation example-accepted createTransfer']
  expect(await runTransfer(fault)).toEqual({ ...UNJUDGED, found })
})

const runFaulty = runOfFaulty('timestamps-ordered')

test.each([['static-code-created-in-local-time', 'deviation timestamps-ordered createStaticQrCode']])(
  'finds %s',
  async (fault, line) => {
    expect((await runFaulty(fault)).found).toContain(line)
  },
)
