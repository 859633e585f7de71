import { createPayments } from '@partner-payments/client'
import { checkCode, createTransfer } from '@partner-payments/client/fixtures'
import { mockPayments } from '@partner-payments/client/msw'
import { HttpResponse } from 'msw'
import { setupServer } from 'msw/node'
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { checkFailure, mayPayAgain, type Outcome, outcomeOf } from '../src/outcome.ts'

const baseUrl = 'https://api.example.com'
const { handlers, handle } = mockPayments({ baseUrl })
const server = setupServer(...handlers)
const payments = createPayments({ baseUrl, auth: { token: () => 'any' }, retries: 0 })
const { emv } = checkCode.request.static

beforeAll(() => server.listen({ onUnhandledFrame: 'error' }))
afterEach(() => server.resetHandlers())
afterAll(() => server.close())

async function pay(signal?: AbortSignal): Promise<Outcome> {
  const code = await payments.codes.check(emv)
  return (
    code.allow_value_change ? code.pay({ amount: '1.00' }, { signal }) : code.pay({}, { signal })
  ).result()
}

test.each([
  ['payCode', 'On its way'],
  ['payKey', 'Paid'],
  ['rejected', 'Rejected'],
] as const)('a transfer like %s is said to be: %s', async (name, title) => {
  server.use(handle.createTransfer(201, createTransfer.response[201][name]))
  const outcome = await pay()
  expect(outcomeOf(outcome).title).toBe(title)
  expect(mayPayAgain(outcome)).toBe(false)
})

test.each([
  [handle.createTransfer(422), 'Refused', /not enough money/],
  [
    handle.createTransfer(422, createTransfer.response[422].paymentDateNotAllowed),
    'Refused',
    /refused the payment/,
  ],
  [handle.createTransfer(401), 'Signed out', /sign in/],
  [handle.createTransfer(429), 'Too many requests', /Wait/],
])('a refusal says that nothing was paid, %#', async (handler, title, text) => {
  server.use(handler)
  const outcome = await pay()
  const words = outcomeOf(outcome)
  expect(words).toMatchObject({ tone: 'bad', title })
  expect(words.text).toMatch(text)
  expect(words.text).toMatch(/Nothing was paid\.$/)
  expect(mayPayAgain(outcome)).toBe(true)
})

test('a code that was paid before is not paid again', async () => {
  server.use(handle.createTransfer(409, createTransfer.response[409].codePaid))
  const outcome = await pay()
  expect(outcomeOf(outcome)).toMatchObject({ tone: 'unsure', text: expect.stringContaining('paid before') })
  expect(mayPayAgain(outcome)).toBe(false)
})

test('a status that nobody told us of is no success', async () => {
  const { data, ...sent } = createTransfer.response[201].payKey
  server.use(handle.createTransfer(201, { ...sent, data, status: 'reversed' }))
  expect(outcomeOf(await pay())).toMatchObject({
    tone: 'unsure',
    text: expect.stringContaining('"reversed"'),
  })
})

test.each([
  ['503', handle.createTransfer(503)],
  ['500', handle.createTransfer(500)],
  ['a connection that breaks', handle.createTransfer(() => HttpResponse.error())],
  ['a page of a proxy', handle.createTransfer(() => new Response('<html>', { status: 403 }))],
])('%s says not to pay again', async (_, handler) => {
  server.use(handler)
  const outcome = await pay()
  const words = outcomeOf(outcome)
  expect(words).toMatchObject({ tone: 'unsure', title: 'Do not pay again' })
  expect(words.text).not.toMatch(/Nothing was paid/)
  expect(mayPayAgain(outcome)).toBe(false)
})

test('stopping before the payment left says so', async () => {
  expect(outcomeOf(await pay(AbortSignal.abort()))).toMatchObject({ tone: 'bad', title: 'Stopped' })
})

test('a check that is refused says why, and any other failure to try again', async () => {
  server.use(handle.checkCode(422, checkCode.response[422].codeCancelled))
  expect(checkFailure(await failureOfCheck()).text).toMatch(/has cancelled/)
  server.use(handle.checkCode(503))
  expect(checkFailure(await failureOfCheck()).text).toMatch(/Try again/)
})

async function failureOfCheck() {
  const result = await payments.codes.check(emv).result()
  if (result.ok) throw new Error('expected a failure')
  return result.error
}
