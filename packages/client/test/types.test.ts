import { describe, expectTypeOf, it } from 'vitest'
import type { components, operations } from '../src/generated/contract.ts'
import {
  type CheckedCode,
  createClient,
  createPayments,
  type ErrorCodes,
  type HttpError,
  type ImmediateQrCode,
  type Operations,
  type OutcomeUnknownError,
  type PartnerUsers,
  type Payment,
  PaymentsError,
  type Transfer,
  type TransferRequest,
  type Undeclared,
  type WebhookEvent,
} from '../src/index.ts'
import { json, KEY, service } from './service.ts'

const { payments, api } = service(() =>
  json({
    ...KEY,
    users: [],
    allow_value_change: false,
    final_amount: '25.00',
    beneficiary: { name: 'Padaria Exemplo Ltda' },
    data: [],
    next_cursor: null,
  }),
)

describe('types', () => {
  it('give the data of an operation', async () => {
    const payee = await payments.keys.check('a@example.com')
    expectTypeOf(payee.owner_name).toEqualTypeOf<string>()
    // @ts-expect-error -- no such field
    void payee.owner_nam
    // @ts-expect-error -- the key is a string
    void payments.keys.check(1).result()
    // @ts-expect-error -- no such operation
    void payments.keys.create
  })

  it('check what is sent', () => {
    const create = payments.transfers.create
    // @ts-expect-error -- an amount is a decimal string
    void create({ type: 'emv', amount: 10.5, emv: 'x' }).result()
    // @ts-expect-error -- a transfer to a key requires an initiation_id
    void create({ type: 'dict', amount: '1.00', dict_key: 'x' }).result()
    // @ts-expect-error -- no such type
    void create({ type: 'ted', amount: '1.00', emv: 'x' }).result()
    // @ts-expect-error -- the status of a QR code is one of the contract's
    void payments.qrcodes.listDueDate({ status: 'OPEN' }).result()
    // @ts-expect-error -- the id is required
    void payments.webhooks.get().result()
  })

  it('narrow a result by ok, by status and by kind', async () => {
    const result = await payments.keys.check('a@example.com').result()
    if (result.ok) {
      expectTypeOf(result.status).toEqualTypeOf<200>()
      expectTypeOf(result.data.owner_name).toEqualTypeOf<string>()
    } else {
      // @ts-expect-error -- a failure has no data
      void result.data
    }
    if (result.status === 200) expectTypeOf(result.data.dict_key).toEqualTypeOf<string>()
    if (result.status === 404) {
      expectTypeOf(result.error).toEqualTypeOf<HttpError<404, 'not_found'>>()
    }
    type Declared = 400 | 401 | 404 | 413 | 415 | 422 | 429 | 500 | 503
    if (result.kind === 'http') {
      expectTypeOf(result.status).toEqualTypeOf<Declared | Undeclared<Declared> | undefined>()
    }
    // @ts-expect-error -- a key check does not return 201
    void (result.status === 201)
    // @ts-expect-error -- a key check is retryable: its outcome is never unknown
    void (result.kind === 'outcome_unknown')
  })

  it('cover every outcome of a payment', async () => {
    const result = await payments.transfers
      .create({ type: 'emv', amount: '1.00', emv: 'x' })
      .result()
    if (result.kind === 'outcome_unknown') {
      expectTypeOf(result.error).toEqualTypeOf<OutcomeUnknownError>()
    }
    expectTypeOf(result.kind).toEqualTypeOf<
      'ok' | 'http' | 'connection' | 'timeout' | 'aborted' | 'decode' | 'config' | 'outcome_unknown'
    >()
  })

  it('accept an amount only if the code allows a change', async () => {
    const code: CheckedCode = await payments.codes.check('x')
    void code.pay({ description: 'x' }).result()
    // @ts-expect-error -- the amount may be fixed
    void code.pay({ amount: '1.00' }).result()
    if (code.allow_value_change) void code.pay({ amount: '1.00' }).result()
    // @ts-expect-error -- the amount is fixed
    else void code.pay({ amount: '1.00' }).result()
  })

  it('require an amount for a key', async () => {
    const payee = await payments.keys.check(KEY.dict_key)
    // @ts-expect-error -- no amount
    void payee.pay({}).result()
    // @ts-expect-error -- an amount is a decimal string
    void payee.pay({ amount: 1n }).result()
  })

  it('give the records of a list', async () => {
    for await (const record of payments.qrcodes.listImmediate())
      expectTypeOf(record.tx_id).toEqualTypeOf<string>()
  })

  it('of the client by path are those of openapi-fetch', async () => {
    const { data, error } = await api.GET('/mobile-bff/v1/partner/user')
    if (data) expectTypeOf(data).toEqualTypeOf<PartnerUsers>()
    if (error) expectTypeOf(error.request_id).toEqualTypeOf<string>()
    // @ts-expect-error -- the paths keep their slashes
    void api.GET('/mobile-bff/v1/partner/user/').catch(() => {})
  })

  it('exist for every schema and operation', () => {
    expectTypeOf<Operations['createTransfer']['request']>().toEqualTypeOf<TransferRequest>()
    expectTypeOf<Operations['createTransfer']['response']>().toEqualTypeOf<Transfer>()
    expectTypeOf<Operations['deleteWebhook']['response']>().toEqualTypeOf<undefined>()
    expectTypeOf<keyof Operations>().toEqualTypeOf<Exclude<keyof operations, `on${string}`>>()
    expectTypeOf<WebhookEvent['type']>().toExtend<string>()
    expectTypeOf<components['schemas']['ImmediateQrCode']>().toEqualTypeOf<ImmediateQrCode>()
    expectTypeOf<components['schemas']['Payment']>().toEqualTypeOf<Payment>()
  })

  it('accept one kind of credentials', () => {
    const baseUrl = 'https://pay.example'
    void createPayments({ baseUrl, auth: { token: async () => 't' } })
    void createClient({ baseUrl, auth: { clientKey: 'k', clientSecret: 's' } })
    const make = () => {
      // @ts-expect-error -- a key without its secret
      void createPayments({ baseUrl, auth: { clientKey: 'k' } })
    }
    void make
  })

  it('have one base class of errors', () => {
    expectTypeOf<HttpError>().toExtend<PaymentsError>()
    // @ts-expect-error -- it is abstract
    void (() => new PaymentsError('http', 'x'))
  })
})

it('suggest the codes that the contract declares for the operation and the status', () => {
  type Result = Awaited<ReturnType<ReturnType<typeof payments.transfers.create>['result']>>
  type Conflict = Extract<Result, { readonly status: 409 }>
  type Code = NonNullable<Conflict['error']['problem']>['code']
  expectTypeOf<Code>().toEqualTypeOf<'code_paid' | 'initiation_used' | (string & {})>()
  expectTypeOf<ErrorCodes['cancelDueDateQrCode'][409]>().toEqualTypeOf<'qrcode_paid'>()
})
