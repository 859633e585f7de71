import { expect, test } from 'vitest'
import { createPayments, DecodeError, type Middleware } from '../src/index.ts'
import { type FoundIssues, type ValidationOptions, validation } from '../src/validation.ts'
import { attemptOf, fetchOf, resultOf, run } from './attempts.ts'
import { examples, type Json } from './contract.ts'

const payment = { type: 'emv', emv: '000201', amount: '10.50' } as const

function exampleOf(operationId: string, status: number): Json {
  const found = examples.find((it) => it.operationId === operationId && it.of === `${status}`)
  return found?.value as Json
}

function paymentsOf(fetch: ReturnType<typeof fetchOf>['fetch'], options: ValidationOptions = {}) {
  const middleware = [validation(options)]
  return createPayments({ baseUrl: 'https://pix.example.com', auth: { token: () => 't' }, fetch, middleware })
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

test('a success has its issues, and nothing else changes', async () => {
  const { fetch } = fetchOf(resultOf(200, breaksFact))
  const result = await paymentsOf(fetch).users.get('1').result()
  expect(result).toMatchObject({ ok: true, data: breaksFact, issues: [broken] })
})

test('a response without issues has an empty list', async () => {
  const { fetch } = fetchOf(resultOf(200, user))
  expect(await paymentsOf(fetch).users.get('1').result()).toMatchObject({ ok: true, issues: [] })
})

test('onIssues receives the issues of every status with the operation', async () => {
  const found: FoundIssues[] = []
  const { fetch } = fetchOf(resultOf(404, { code: 'not_found' }))
  await paymentsOf(fetch, { onIssues: (it) => found.push(it) })
    .users.get('1')
    .result()
  expect(found).toMatchObject([{ operationId: 'getUser', status: 404 }])
  expect(new Set(found[0]?.issues.map(({ question }) => question))).toEqual(new Set(['errors']))
})

test('onIssues is not called for a response without issues', async () => {
  const found: FoundIssues[] = []
  const { fetch } = fetchOf(resultOf(200, user))
  await paymentsOf(fetch, { onIssues: (it) => found.push(it) }).users.get('1')
  expect(found).toEqual([])
})

const failing: [string, () => unknown][] = [
  [
    'throws',
    () => {
      throw new Error('no')
    },
  ],
  ['rejects', () => Promise.reject(new Error('no'))],
]

test.each(failing)('a payment succeeds with an onIssues that %s', async (_, onIssues) => {
  const { fetch } = fetchOf(resultOf(201, { ...exampleOf('createTransfer', 201), status: 1 }))
  const result = await paymentsOf(fetch, { onIssues }).transfers.create(payment).result()
  expect(result).toMatchObject({ ok: true, status: 201 })
})

test('enforce: a contradicted fact throws and is not retried', async () => {
  const { fetch, sent } = fetchOf(resultOf(200, { ...breaksFact, user_id: '17' }))
  const result = await paymentsOf(fetch, { mode: 'enforce' }).users.get('1').result()
  expect(result).toMatchObject({ ok: false, kind: 'decode' })
  const { error } = result as { error: DecodeError }
  expect(error).toBeInstanceOf(DecodeError)
  expect(error.message).toBe('getUser: /user: expected object, got null')
  expect(error.issues).toEqual(expect.arrayContaining([broken, ours]))
  expect(sent).toHaveLength(1)
})

test('the message counts the other issues', async () => {
  const { fetch } = fetchOf(resultOf(200, { users: 1 }))
  await expect(paymentsOf(fetch, { mode: 'enforce' }).users.list()).rejects.toThrow(
    /, got .* \(and 3 more\)$/,
  )
})

test('enforce: onIssues is called before the error is thrown', async () => {
  const found: FoundIssues[] = []
  const { fetch } = fetchOf(resultOf(200, breaksFact))
  const options = { mode: 'enforce', onIssues: (it: FoundIssues) => found.push(it) } as const
  await paymentsOf(fetch, options).users.get('1').result()
  expect(found).toEqual([{ operationId: 'getUser', status: 200, issues: [broken] }])
})

test('enforce: a deviation from an assumption is only reported', async () => {
  const { fetch } = fetchOf(resultOf(200, departsFromUs))
  const result = await paymentsOf(fetch, { mode: 'enforce' }).users.get('1').result()
  expect(result).toMatchObject({ ok: true, issues: [ours] })
})

test('enforce: a new enum value is only reported', async () => {
  const { fetch } = fetchOf(resultOf(200, { ...exampleOf('checkKey', 200), account_type: 'OTHR' }))
  const result = await paymentsOf(fetch, { mode: 'enforce' }).keys.check('beltrana@example.com').result()
  expect(result).toMatchObject({ ok: true, issues: [{ question: 'account-kinds' }] })
})

test('enforce: a completed payment stays a success', async () => {
  const { fetch } = fetchOf(resultOf(201, { id: 1 }))
  const result = await paymentsOf(fetch, { mode: 'enforce' }).transfers.create(payment).result()
  expect(result).toMatchObject({ ok: true, data: { id: 1 } })
  expect(result).toHaveProperty('issues.length', 3)
})

test('enforce: an error response stays an HttpError', async () => {
  const { fetch } = fetchOf(resultOf(404, 'nobody'))
  const result = await paymentsOf(fetch, { mode: 'enforce' }).users.get('1').result()
  expect(result).toMatchObject({ ok: false, kind: 'http', status: 404 })
})

test('a 401 with an invalid body still renews the token', async () => {
  const { fetch, sent } = fetchOf(resultOf(401, {}), resultOf(200, user))
  const result = await paymentsOf(fetch, { mode: 'enforce' }).users.get('1').result()
  expect(result.ok).toBe(true)
  expect(sent).toHaveLength(2)
})

test('the data is checked after inner middlewares changed it', async () => {
  const unwrap: Middleware = async (attempt, next) => {
    const reply = await next(attempt)
    return { ...reply, data: (reply.data as { wrapped: unknown }).wrapped }
  }
  const both: Middleware = (attempt, next) => validation()(attempt, (it) => unwrap(it, next))
  const attempt = attemptOf({ operationId: 'getUser', effect: 'read' })
  expect((await run(both, attempt, resultOf(200, { wrapped: user }))).issues).toEqual([])
})

test('an unknown operation is not checked', async () => {
  const reply = await run(
    validation({ mode: 'enforce' }),
    attemptOf({ operationId: 'other' }),
    resultOf(200, {}),
  )
  expect(reply.issues).toEqual([])
})
