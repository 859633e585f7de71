import { describe, expect, it, test } from 'vitest'
import { createPayments, DecodeError } from '../src/index.ts'
import { type FoundIssues, type ValidationOptions, validation } from '../src/validation.ts'
import { findExample } from './contract.ts'
import { attempt, inTurn, json, type Responder, service, TOKEN } from './service.ts'

const payment = { type: 'emv', emv: '000201', amount: '10.50' } as const
const enforce = { mode: 'enforce' } as const

/** The operations with validation, and the issues that it finds. */
function validated(respond: Responder, options: ValidationOptions = {}) {
  const found: FoundIssues[] = []
  const { fetch, sent, options: clientOptions } = service(respond, { auth: TOKEN })
  const onIssues = (issues: FoundIssues) => found.push(issues)
  const validated = validation({ onIssues, ...options, fetch })
  const payments = createPayments({ ...clientOptions, fetch: validated })
  return {
    payments,
    found,
    sent,
    issues: () => found.flatMap(({ issues }) => issues),
  }
}

const user = findExample('getUser', 200)
const breaksFact = { ...user, user: null }
const departsFromUs = { ...user, user_id: '17' }
const broken = { pointer: '/user', message: 'expected object, got null' }
const ours = {
  pointer: '/user_id',
  message: 'expected string of format uuid, got string of length 2',
  question: 'identifiers',
}

test('report: a success stays as it is', async () => {
  const { payments, found } = validated(() => json(breaksFact))
  expect(await payments.users.get('1').result()).toMatchObject({ ok: true, data: breaksFact })
  expect(found).toEqual([{ operationId: 'getUser', status: 200, issues: [broken] }])
})

test('onIssues receives the issues of every status, and is not called without issues', async () => {
  const { payments, found } = validated(inTurn(json({ code: 'not_found' }, 404), json(user)))
  await payments.users.get('1').result()
  await payments.users.get('1')
  expect(found).toMatchObject([{ operationId: 'getUser', status: 404 }])
  expect(new Set(found[0]?.issues.map(({ question }) => question))).toEqual(new Set(['errors']))
})

test('leaves a body that cannot be read to the client', async () => {
  const cut = new ReadableStream({ pull: (controller) => controller.error(new Error('cut')) })
  const { payments, found } = validated(() => new Response(cut, { status: 201 }), enforce)
  expect((await payments.transfers.create(payment).result()).kind).toBe('outcome_unknown')
  expect(found).toEqual([])
})

test.each<{ title: string; onIssues: () => unknown }>([
  { title: 'a payment succeeds with an onIssues that throws', onIssues: () => JSON.parse('{') },
  {
    title: 'a payment succeeds with an onIssues that rejects',
    onIssues: () => Promise.reject(new Error('no')),
  },
])('$title', async ({ onIssues }) => {
  const respond = () => json({ ...findExample('createTransfer', 201), status: 1 }, 201)
  const result = await validated(respond, { onIssues }).payments.transfers.create(payment).result()
  expect(result).toMatchObject({ ok: true, status: 201 })
})

describe('enforce', () => {
  it('reports a contradicted fact, throws, and does not retry', async () => {
    const { payments, sent, issues } = validated(
      () => json({ ...breaksFact, user_id: '17' }),
      enforce,
    )
    const error = await payments.users.get('1').catch((thrown) => thrown)
    expect(error).toBeInstanceOf(DecodeError)
    expect(error.message).toBe('getUser: /user: expected object, got null')
    expect(error.issues).toEqual(expect.arrayContaining([broken, ours]))
    expect(issues()).toEqual(error.issues)
    expect(sent).toHaveLength(1)
  })

  it('counts the other issues in the message', async () => {
    const call = validated(() => json({ users: 1 }), enforce).payments.users.list()
    await expect(call).rejects.toThrow(/, got .* \(and 3 more\)$/)
  })

  it('only reports a deviation from an assumption, and a new enum value', async () => {
    const deviation = validated(() => json(departsFromUs), enforce)
    expect((await deviation.payments.users.get('1').result()).ok).toBe(true)
    expect(deviation.issues()).toEqual([ours])
    const newKind = validated(
      () => json({ ...findExample('checkKey', 200), account_type: 'OTHR' }),
      enforce,
    )
    expect((await newKind.payments.keys.check('beltrana@example.com').result()).ok).toBe(true)
    expect(newKind.issues()).toMatchObject([{ question: 'account-kinds' }])
  })

  it('leaves a completed payment a success', async () => {
    const settled = { id: 1, status: 'settled', data: { amount: payment.amount } }
    const { payments, issues } = validated(() => json(settled, 201), enforce)
    const result = await payments.transfers.create(payment).result()
    expect(result).toMatchObject({ ok: true, data: settled })
    expect(issues().length).toBeGreaterThan(3)
  })

  it('leaves an error response an HttpError, and renews a token after a 401', async () => {
    const refused = await validated(() => json('nobody', 404), enforce)
      .payments.users.get('1')
      .result()
    expect(refused).toMatchObject({ ok: false, kind: 'http', status: 404 })
    const { payments, sent } = validated(inTurn(json({}, 401), json(user)), enforce)
    expect((await payments.users.get('1').result()).ok).toBe(true)
    expect(sent).toHaveLength(2)
  })
})

test('an unknown operation is not checked', async () => {
  const found: FoundIssues[] = []
  const { fetch } = service(() => json({}))
  await attempt(
    validation({ onIssues: (issues) => found.push(issues), fetch }),
    {},
    { operationId: 'other' },
  )
  expect(found).toEqual([])
})
