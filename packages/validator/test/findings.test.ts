import { valueAt } from '@partner-payments/contract'
import { describe, expect, test } from 'vitest'
import { createValidator, type Finding } from '../src/index.ts'
import { ownProperty } from '../src/json.ts'
import { contract, example, JSON_HEADERS } from './contract.ts'

const validator = createValidator()
const responseHeaders = { ...JSON_HEADERS, 'x-request-id': 'req_1' }

type Change = Record<string, unknown>

function findOperation(id: string) {
  const operations = [...validator.operations, ...validator.deliveries]
  const operation = operations.find((candidate) => candidate.id === id)
  if (!operation) throw new Error(`no operation ${id}`)
  return operation
}

/** The findings of a request example with changed properties; undefined removes one. */
function request(id: string, name: string, change: Change): Finding[] {
  const { method, path } = findOperation(id)
  return validator.validateRequest({
    method,
    path,
    headers: JSON_HEADERS,
    body: changed(example(name), change),
  })
}

function responseFindings(id: string, name: string, change: Change, status = 200): Finding[] {
  const body = changed(example(name), change)
  return validator.validateResponse(findOperation(id), { status, headers: responseHeaders, body })
}

function changed(value: Record<string, unknown>, change: Change): unknown {
  const merged = { ...value, ...change }
  const present = Object.entries(merged).filter(([, property]) => property !== undefined)
  return Object.fromEntries(present)
}

const transfer = (change: Change) => request('createTransfer', 'payKey', change)
const check = (change: Change) => responseFindings('checkKey', 'emailKey', change)
const webhook = (change: Change) => responseFindings('getWebhook', 'webhook', change)
const charge = (change: Change) => request('createDueDateQrCode', 'createDueDate', change)

const schemas = '/components/schemas'

interface Edge {
  /** What is wrong. */
  readonly what: string
  readonly found: readonly Finding[]
  readonly pointer: string
  /** The keyword below the schemas. */
  readonly place: string
  /** The open question; absent for a fact. */
  readonly question?: string
}

const edges: readonly Edge[] = [
  {
    what: 'maxLength',
    found: transfer({ description: 'x'.repeat(141) }),
    pointer: '/description',
    place: 'Message/maxLength',
    question: 'bounds',
  },
  {
    what: 'minLength',
    found: transfer({ initiation_id: '' }),
    pointer: '/initiation_id',
    place: 'DictTransferRequest/properties/initiation_id/minLength',
    question: 'bounds',
  },
  {
    what: 'pattern, ours',
    found: transfer({ amount: '25.0' }),
    pointer: '/amount',
    place: 'PaymentAmount/pattern',
    question: 'bounds',
  },
  {
    what: 'type',
    found: transfer({ amount: 25 }),
    pointer: '/amount',
    place: 'Amount/type',
  },
  {
    what: 'required',
    found: transfer({ dict_key: undefined }),
    pointer: '/dict_key',
    place: 'DictTransferRequest/required',
  },
  {
    what: 'discriminator',
    found: transfer({ type: 'pix' }),
    pointer: '/type',
    place: 'TransferRequest/discriminator',
    question: 'transfer-types',
  },
  {
    what: 'the discriminating property',
    found: transfer({ type: undefined }),
    pointer: '/type',
    place: 'EmvTransferRequest/required',
  },
  {
    what: 'enum',
    found: transfer({ beneficiary: { account_type: 'OTHR' } }),
    pointer: '/beneficiary/account_type',
    place: 'AccountTypeInput/enum',
    question: 'account-kinds',
  },
  {
    what: 'format',
    found: transfer({ payment_date: '2026-02-30' }),
    pointer: '/payment_date',
    place: 'FullDate/format',
    question: 'timestamp-formats',
  },
  {
    what: 'pattern, fact',
    found: responseFindings('checkCode', 'staticCode', { original_amount: '1,0' }),
    pointer: '/original_amount',
    place: 'Amount/pattern',
  },
  {
    what: 'enum of a response',
    found: check({ owner_type: 'ROBOT' }),
    pointer: '/owner_type',
    place: 'KeyCheck/properties/owner_type/enum',
    question: 'owner-kinds',
  },
  {
    what: 'required of a response',
    found: check({ id: undefined }),
    pointer: '/id',
    place: 'KeyCheck/required',
  },
  {
    what: 'null',
    found: check({ owner_name: null }),
    pointer: '/owner_name',
    place: 'KeyCheck/properties/owner_name/type',
  },
  {
    what: 'a type of several',
    found: responseFindings('checkCode', 'staticCode', { message: 7 }),
    pointer: '/message',
    place: 'CodeCheck/properties/message/type',
  },
  {
    what: 'format of a response',
    found: webhook({ id: '17' }),
    pointer: '/id',
    place: 'Id/format',
    question: 'identifiers',
  },
  {
    what: 'the branch of the type',
    found: webhook({ created_at: 'today' }),
    pointer: '/created_at',
    place: 'WebhookTimestamp/anyOf/0/format',
    question: 'timestamp-formats',
  },
  {
    what: 'no branch',
    found: webhook({ created_at: 7 }),
    pointer: '/created_at',
    place: 'WebhookTimestamp/anyOf',
  },
  {
    what: 'maxProperties',
    found: webhook({ created_at: { error: null, more: 1 } }),
    pointer: '/created_at',
    place: 'WebhookTimestamp/anyOf/2/maxProperties',
  },
  {
    what: 'a fact in a branch',
    found: webhook({ created_at: { error: 1 } }),
    pointer: '/created_at/error',
    place: 'WebhookTimestamp/anyOf/2/properties/error/type',
  },
  {
    what: 'minimum',
    found: charge({ calendar: { expiration_days: -1 } }),
    pointer: '/calendar/expiration_days',
    place: 'DueDateCalendarInput/properties/expiration_days/minimum',
    question: 'bounds',
  },
  {
    what: 'integer',
    found: charge({ calendar: { expiration_days: 1.5 } }),
    pointer: '/calendar/expiration_days',
    place: 'DueDateCalendarInput/properties/expiration_days/type',
  },
  {
    what: 'maxItems',
    found: charge({ additional_infos: Array(51).fill({}) }),
    pointer: '/additional_infos',
    place: 'DueDateQrCodeRequest/properties/additional_infos/maxItems',
    question: 'bounds',
  },
  {
    what: 'uri',
    found: request('createWebhook', 'createAll', { url: 'not a url' }),
    pointer: '/url',
    place: 'WebhookUrl/format',
    question: 'webhook-url',
  },
  {
    what: 'a node that is assumed as a whole',
    found: responseFindings('createDueDateQrCode', 'dueDateQrCode', { emv: undefined }),
    pointer: '/emv',
    place: 'QrCodeRecord/required',
    question: 'qr-record',
  },
  {
    what: 'a keyword inside of it',
    found: responseFindings('createDueDateQrCode', 'dueDateQrCode', { status: 'PAGA' }),
    pointer: '/status',
    place: 'QrCodeStatus/enum',
    question: 'qr-statuses',
  },
]

test.each(edges)(
  '$what gives one finding, at the keyword and with its question',
  ({ found, pointer, place, question }) => {
    expect(found).toHaveLength(1)
    expect(found[0]?.pointer).toBe(pointer)
    expect(found[0]?.contract).toBe(`${schemas}/${place}`)
    expect(found[0]?.question).toBe(question)
  },
)

test('every finding refers to an existing location in the contract, whose mark is its question', () => {
  for (const { found, place, question } of edges) {
    const pointer = `${schemas}/${place}`
    const keyword = pointer.split('/').at(-1) ?? ''
    expect(valueAt(contract, pointer)).toBeDefined()
    expect(found[0]?.keyword).toBe(keyword)

    const schema = valueAt(contract, pointer.slice(0, pointer.lastIndexOf('/')))
    const mark = ownProperty(schema, 'x-open-question')
    const markOfKeyword = typeof mark === 'string' ? mark : ownProperty(mark, keyword)
    expect(markOfKeyword).toBe(question)
  }
})

describe('the target of an assumption', () => {
  const headers = {
    ...JSON_HEADERS,
    'webhook-id': 'm',
    'webhook-timestamp': '1',
    'webhook-signature': `v1,${'A'.repeat(43)}=`,
  }
  const delivery = (body: unknown) =>
    validator.validateDelivery({ name: 'transfer.settled', headers, body })

  test('is an assumption there and a fact elsewhere', () => {
    const event = example('transferSettledEvent') as { data: Change }
    const { payer: _, ...data } = event.data
    expect(delivery({ ...event, data })).toMatchObject([
      { pointer: '/data/payer', question: 'event-kinds' },
    ])
    const created = responseFindings('createTransfer', 'keySettled', { data }, 201)
    expect(created).toMatchObject([
      { pointer: '/data/payer', contract: `${schemas}/TransferData/required` },
    ])
    expect(created[0]).not.toHaveProperty('question')
  })

  test('keeps its own questions', () => {
    const event = example('transferSettledEvent') as { data: Change }
    const data = { ...event.data, end_to_end_id: 'E1' }
    expect(delivery({ ...event, data })).toMatchObject([{ question: 'end-to-end-id' }])
  })

  test('is reported by the selected branch', () => {
    const event = example('qrCodePaidEvent') as { data: Change }
    const found = validator.validateDelivery({
      name: 'qrcode.paid',
      headers,
      body: { ...event, data: { ...event.data, kind: 'Static' } },
    })
    expect(found).toMatchObject([
      {
        pointer: '/data/kind',
        contract: `${schemas}/DynamicQrCode/discriminator`,
        question: 'qr-record',
      },
    ])
  })

  test('is named by the finding of an unknown webhook', () => {
    expect(validator.validateDelivery({ name: 'transfer.lost' })).toMatchObject([
      { place: 'path', contract: '/webhooks', keyword: 'webhooks' },
    ])
  })
})

describe('beside the body', () => {
  const transferPath = { method: 'POST', path: '/mobile-bff/v1/pix/out/' }
  const pointer = '/paths/~1mobile-bff~1v1~1pix~1out~1'

  test('an undeclared path is a finding', () => {
    expect(
      validator.validateRequest({ ...transferPath, path: '/mobile-bff/v1/pix/out' }),
    ).toMatchObject([{ place: 'path', contract: '/paths', keyword: 'paths' }])
  })

  test('an undeclared method is a finding', () => {
    expect(validator.validateRequest({ ...transferPath, method: 'DELETE' })).toMatchObject([
      { place: 'method', contract: pointer, message: 'expected POST, got another method' },
    ])
  })

  test('a missing body is a finding', () => {
    expect(validator.validateRequest(transferPath)).toMatchObject([
      { place: 'body', pointer: '', contract: `${pointer}/post/requestBody/required` },
    ])
  })

  test.each([undefined, 'text/plain', 'application/jsonp', '', 'application/vnd.api+json'])(
    'the media type %j is a finding',
    (type) => {
      const headers = type === undefined ? {} : { 'content-type': type }
      expect(validator.validateRequest({ ...transferPath, headers, body: {} })).toMatchObject([
        {
          place: 'media-type',
          contract: `${pointer}/post/requestBody/content`,
          keyword: 'content',
        },
      ])
    },
  )

  test('the case and the parameters of a media type are ignored', () => {
    const headers = { 'Content-Type': 'Application/JSON; charset=utf-8' }
    expect(
      validator.validateRequest({ ...transferPath, headers, body: example('payKey') }),
    ).toEqual([])
  })

  test('an undeclared status is a finding', () => {
    const [found] = validator.validateResponse(findOperation('createTransfer'), { status: 418 })
    expect(found).toMatchObject({
      place: 'status',
      contract: `${pointer}/post/responses`,
      keyword: 'responses',
    })
    expect(found?.message).toMatch(/^expected 201 or .* or 503, got 418$/)
  })

  test('a missing response header is a finding', () => {
    const body = example('webhook')
    expect(
      validator.validateResponse(findOperation('getWebhook'), {
        status: 200,
        headers: JSON_HEADERS,
        body,
      }),
    ).toEqual([
      {
        place: 'header',
        pointer: '/x-request-id',
        contract: '/components/headers/RequestId/required',
        keyword: 'required',
        message: 'expected a value, got nothing',
        question: 'errors',
      },
    ])
  })

  test('a missing response body is a finding', () => {
    expect(
      validator.validateResponse(findOperation('getWebhook'), {
        status: 200,
        headers: responseHeaders,
      }),
    ).toMatchObject([
      { place: 'body', keyword: 'content', message: 'expected a body, got nothing' },
    ])
  })

  test('an operation of another validator throws a TypeError', () => {
    const other = { ...findOperation('getWebhook') }
    expect(() => validator.validateResponse(other, { status: 200 })).toThrow(TypeError)
  })
})

test('findings are in the order of the message, missing properties last in their object', () => {
  const data = { ...(example('keySettled').data as Change), settled_at: 'x', account_id: 1 }
  const found = responseFindings(
    'createTransfer',
    'keySettled',
    { status: 'x', data: { ...data, tx_id: undefined } },
    201,
  )
  expect(found.map(({ pointer }) => pointer)).toEqual([
    '/status',
    '/data/account_id',
    '/data/settled_at',
    '/data/tx_id',
  ])
})

test('a message never shows the value', () => {
  const secret = 'beltrana-12345678909'
  const found = [
    ...transfer({ amount: secret, beneficiary: { account_type: secret, tax_id: secret } }),
    ...transfer({ type: secret }),
    ...check({ owner_document: secret, dict_key_type: secret }),
    ...validator.validateRequest({ method: secret, path: '/mobile-bff/v1/pix/out/' }),
    ...validator.validateRequest({
      method: 'POST',
      path: '/mobile-bff/v1/pix/out/',
      headers: { 'content-type': secret },
      body: {},
    }),
  ]
  expect(found.length).toBeGreaterThan(6)
  expect(found.filter(({ message }) => message.includes(secret))).toEqual([])
})

describe('undeclared properties', () => {
  const more = {
    ...example('payKey'),
    emv: 'of the other branch',
    beneficiary: { ispb: '99999010', zip: 1 },
    note: { a: 1 },
  }
  const message = {
    method: 'POST',
    path: '/mobile-bff/v1/pix/out/',
    headers: JSON_HEADERS,
    body: more,
  }

  test('are not reported by default', () => {
    expect(validator.validateRequest(message)).toEqual([])
  })

  test('are reported once each with `unknown`', () => {
    const found = validator.validateRequest(message, { unknown: true })
    const transfer = `${schemas}/DictTransferRequest/properties`
    const beneficiary = `${schemas}/TransferBeneficiary/properties`
    expect(found).toMatchObject([
      { pointer: '/emv', contract: transfer, keyword: 'unknown' },
      { pointer: '/beneficiary/zip', contract: beneficiary, keyword: 'unknown' },
      { pointer: '/note', contract: transfer, keyword: 'unknown' },
    ])
  })

  test('a free-form object has none', () => {
    const user = example('userWithCustomers') as { customers: Change[] }
    const customers = user.customers.map((customer) => {
      return { ...customer, metadata: { any: { thing: 1 } } }
    })
    const body = { ...user, customers }
    const response = { status: 200, headers: responseHeaders, body }
    expect(
      validator.validateResponse(findOperation('getUser'), response, { unknown: true }),
    ).toEqual([])
  })

  test('are reported in the query too', () => {
    const listed = {
      method: 'GET',
      path: '/mobile-bff/v1/pix/qrcode/dynamic/immediate',
      query: 'limit=5&page=2',
    }
    expect(validator.validateRequest(listed)).toEqual([])
    expect(validator.validateRequest(listed, { unknown: true })).toMatchObject([
      { place: 'query', pointer: '/page', keyword: 'unknown' },
    ])
  })
})
