import { expect, test } from 'vitest'
import { createPayments, DecodeError, type Fetch } from '../src/index.ts'
import { type FoundIssues, type ValidationOptions, validation } from '../src/validation.ts'
import { attempt, fetchOf, responseOf } from './attempts.ts'
import { examples, type Json } from './contract.ts'

const payment = { type: 'emv', emv: '000201', amount: '10.50' } as const
const enforce = { mode: 'enforce' } as const

function exampleOf(operationId: string, status: number): Json {
  const found = examples.find((it) => it.operationId === operationId && it.of === `${status}`)
  return found?.value as Json
}

/** The operations with validation, and the issues that it finds. */
function validated(fetch: Fetch, options: ValidationOptions = {}) {
  const found: FoundIssues[] = []
  const all = { onIssues: (it: FoundIssues) => found.push(it), ...options, fetch }
  const auth = { token: () => 't' }
  const payments = createPayments({ baseUrl: 'https://pix.example.com', auth, fetch: validation(all) })
  return { payments, found, issues: () => found.flatMap(({ issues }) => issues) }
}

const user = exampleOf('getUser', 200)
const breaksFact = { ...user, user: null }
const departsFromUs = { ...user, user_id: '17' }
const broken = { pointer: '/user', message: 'expected object, got null' }
const ours = {
  pointer: '/user_id',
  message: 'expected string of format uuid, got string of length 2',
  question: 'identifiers',
}

test('report: a success stays as it is', async () => {
  const { payments, found } = validated(fetchOf(responseOf(200, breaksFact)).fetch)
  expect(await payments.users.get('1').result()).toMatchObject({ ok: true, data: breaksFact })
  expect(found).toEqual([{ operationId: 'getUser', status: 200, issues: [broken] }])
})

test('onIssues receives the issues of every status with the operation', async () => {
  const { payments, found } = validated(fetchOf(responseOf(404, { code: 'not_found' })).fetch)
  await payments.users.get('1').result()
  expect(found).toMatchObject([{ operationId: 'getUser', status: 404 }])
  expect(new Set(found[0]?.issues.map(({ question }) => question))).toEqual(new Set(['errors']))
})

test('onIssues is not called for a response without issues', async () => {
  const { payments, found } = validated(fetchOf(responseOf(200, user)).fetch)
  await payments.users.get('1')
  expect(found).toEqual([])
})

test('leaves a body that cannot be read to the client', async () => {
  const cut = new ReadableStream({ pull: (controller) => controller.error(new Error('cut')) })
  const { payments, found } = validated(async () => new Response(cut, { status: 201 }), enforce)
  expect((await payments.transfers.create(payment).result()).kind).toBe('outcome_unknown')
  expect(found).toEqual([])
})

const failing: [string, () => unknown][] = [
  ['throws', () => JSON.parse('{')],
  ['rejects', () => Promise.reject(new Error('no'))],
]

test.each(failing)('a payment succeeds with an onIssues that %s', async (_, onIssues) => {
  const { fetch } = fetchOf(responseOf(201, { ...exampleOf('createTransfer', 201), status: 1 }))
  const result = await validated(fetch, { onIssues }).payments.transfers.create(payment).result()
  expect(result).toMatchObject({ ok: true, status: 201 })
})

test('enforce: a contradicted fact throws and is not retried', async () => {
  const { fetch, sent } = fetchOf(responseOf(200, { ...breaksFact, user_id: '17' }))
  const result = await validated(fetch, enforce).payments.users.get('1').result()
  expect(result).toMatchObject({ ok: false, kind: 'decode' })
  const { error } = result as { error: DecodeError }
  expect(error).toBeInstanceOf(DecodeError)
  expect(error.message).toBe('getUser: /user: expected object, got null')
  expect(error.issues).toEqual(expect.arrayContaining([broken, ours]))
  expect(sent).toHaveLength(1)
})

test('the message counts the other issues', async () => {
  const { fetch } = fetchOf(responseOf(200, { users: 1 }))
  await expect(validated(fetch, enforce).payments.users.list()).rejects.toThrow(/, got .* \(and 3 more\)$/)
})

test('enforce: onIssues is called before the error is thrown', async () => {
  const { payments, found } = validated(fetchOf(responseOf(200, breaksFact)).fetch, enforce)
  await payments.users.get('1').result()
  expect(found).toEqual([{ operationId: 'getUser', status: 200, issues: [broken] }])
})

test('enforce: a deviation from an assumption is only reported', async () => {
  const { payments, issues } = validated(fetchOf(responseOf(200, departsFromUs)).fetch, enforce)
  expect((await payments.users.get('1').result()).ok).toBe(true)
  expect(issues()).toEqual([ours])
})

test('enforce: a new enum value is only reported', async () => {
  const { fetch } = fetchOf(responseOf(200, { ...exampleOf('checkKey', 200), account_type: 'OTHR' }))
  const { payments, issues } = validated(fetch, enforce)
  expect((await payments.keys.check('beltrana@example.com').result()).ok).toBe(true)
  expect(issues()).toMatchObject([{ question: 'account-kinds' }])
})

test('enforce: a completed payment stays a success', async () => {
  const { payments, issues } = validated(fetchOf(responseOf(201, { id: 1 })).fetch, enforce)
  const result = await payments.transfers.create(payment).result()
  expect(result).toMatchObject({ ok: true, data: { id: 1 } })
  expect(issues()).toHaveLength(3)
})

test('enforce: an error response stays an HttpError', async () => {
  const { fetch } = fetchOf(responseOf(404, 'nobody'))
  const result = await validated(fetch, enforce).payments.users.get('1').result()
  expect(result).toMatchObject({ ok: false, kind: 'http', status: 404 })
})

test('a 401 with an invalid body still renews the token', async () => {
  const { fetch, sent } = fetchOf(responseOf(401, {}), responseOf(200, user))
  const result = await validated(fetch, enforce).payments.users.get('1').result()
  expect(result.ok).toBe(true)
  expect(sent).toHaveLength(2)
})

test('an unknown operation is not checked', async () => {
  const found: FoundIssues[] = []
  const fetch = validation({ onIssues: (it) => found.push(it), ...fetchOf(responseOf(200, {})) })
  await attempt(fetch, {}, { operationId: 'other' })
  expect(found).toEqual([])
})
