import { type RunningMock, serve } from '@partner-payments/mock'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import * as fixtures from '../src/generated/fixtures.ts'
import { createPayments, type Payments } from '../src/index.ts'
import { operationOf, operations } from '../src/operation.ts'
import { CUSTOMER, SECRET } from './service.ts'

const ID = '45cb5a75-cc4d-42a6-83c8-868e352756e5'
const { emv } = fixtures.checkCode.request.static

/** A call of each operation; the types require all of them. */
const calls: {
  [R in keyof typeof operations]: { [V in keyof (typeof operations)[R]]: (p: Payments) => unknown }
} = {
  auth: { signIn: (p) => p.auth.signIn(), impersonate: (p) => p.auth.impersonate(CUSTOMER) },
  codes: { check: (p) => p.codes.check(emv) },
  keys: { check: (p) => p.keys.check('beltrana@example.com') },
  transfers: { create: (p) => p.transfers.create(fixtures.createTransfer.request.payCode) },
  qrcodes: {
    listDueDate: (p) => p.qrcodes.listDueDate({ limit: '2', status: 'ATIVA' }),
    createDueDate: (p) => p.qrcodes.createDueDate(fixtures.createDueDateQrCode.request.create),
    cancelDueDate: (p) => p.qrcodes.cancelDueDate(ID),
    listImmediate: (p) => p.qrcodes.listImmediate(),
    createImmediate: (p) => p.qrcodes.createImmediate(fixtures.createImmediateQrCode.request.create),
    cancelImmediate: (p) => p.qrcodes.cancelImmediate(ID),
    createStatic: (p) => p.qrcodes.createStatic(fixtures.createStaticQrCode.request.create),
  },
  users: { list: (p) => p.users.list(), get: (p) => p.users.get(ID) },
  webhooks: {
    create: (p) => p.webhooks.create(fixtures.createWebhook.request.create),
    list: (p) => p.webhooks.list(),
    get: (p) => p.webhooks.get(ID),
    update: (p) => p.webhooks.update(ID, fixtures.updateWebhook.request.pause),
    delete: (p) => p.webhooks.delete(ID),
    rotateSecret: (p) => p.webhooks.rotateSecret(ID),
  },
}
const all = Object.entries(operations).flatMap(([resource, verbs]) =>
  Object.entries(verbs).map(([verb, row]) => ({ resource, verb, ...operationOf(row as string) })),
)

describe('against the mock', () => {
  let mock: RunningMock
  let payments: Payments
  beforeAll(async () => {
    mock = await serve({ port: 0 })
    payments = createPayments({ baseUrl: mock.url, auth: SECRET, retries: 0 })
  })
  afterAll(() => mock.close())

  it('has twenty operations to call', () => expect(all).toHaveLength(20))

  it.each(all)('$operationId succeeds with $status', async ({ resource, verb, status }) => {
    const call = (
      calls as unknown as Record<
        string,
        Record<string, (p: Payments) => ReturnType<Payments['users']['list']>>
      >
    )[resource]?.[verb]
    const result = await call?.(payments.as(CUSTOMER)).result()
    expect(result).toMatchObject({ ok: true, status })
  })

  it.each(['401', '422', '429', '500', '503'])('returns a %s of the contract', async (status) => {
    const headers = { prefer: `code=${status}` }
    const result = await createPayments({ baseUrl: mock.url, auth: { token: () => 't' }, retries: 0 })
      .codes.check(emv, { headers })
      .result()
    expect(result).toMatchObject({
      kind: 'http',
      status: Number(status),
      error: {
        problem: { status: Number(status), code: expect.any(String) },
        requestId: expect.any(String),
      },
    })
  })
})
