import { valueAt } from '@partner-payments/text'
import { describe, expect, test } from 'vitest'
import { createValidator, type Finding } from '../src/index.ts'
import { at } from '../src/json.ts'
import { contract, example, JSON_HEADERS } from './contract.ts'

const validator = createValidator()
const responseHeaders = { ...JSON_HEADERS, 'x-request-id': 'req_1' }

type Change = Record<string, unknown>

function idOf(id: string) {
  const operation = [...validator.operations, ...validator.deliveries].find((it) => it.id === id)
  if (!operation) throw new Error(`no operation ${id}`)
  return operation
}

/** The findings of a request example with changed properties; undefined removes one. */
function request(id: string, name: string, change: Change): Finding[] {
  const { method, path } = idOf(id)
  return validator.validateRequest({
    method,
    path,
    headers: JSON_HEADERS,
    body: changed(example(name), change),
  })
}

function responseFindings(id: string, name: string, change: Change, status = 200): Finding[] {
  const body = changed(example(name), change)
  return validator.validateResponse(idOf(id), { status, headers: responseHeaders, body })
}

function changed(value: Record<string, unknown>, change: Change): unknown {
  const merged = { ...value, ...change }
  return Object.fromEntries(Object.entries(merged).filter(([, it]) => it !== undefined))
}

const transfer = (change: Change) => request('createTransfer', 'payKey', change)
const check = (change: Change) => responseFindings('checkKey', 'emailKey', change)
const webhook = (change: Change) => responseFindings('getWebhook', 'webhook', change)
const charge = (change: Change) => request('createDueDateQrCode', 'createDueDate', change)

const schemas = '/components/schemas'
/**
 * What is wrong, and its finding: the pointer, the keyword below the schemas, and the open
 * question.
 */
const edges: [string, Finding[], string][] = [
  [
    'maxLength',
    transfer({ description: 'x'.repeat(141) }),
    '/description Message/maxLength bounds',
  ],
  [
    'minLength',
    transfer({ initiation_id: '' }),
    '/initiation_id DictTransferRequest/properties/initiation_id/minLength bounds',
  ],
  ['pattern, ours', transfer({ amount: '25.0' }), '/amount PaymentAmount/pattern bounds'],
  ['type', transfer({ amount: 25 }), '/amount Amount/type'],
  ['required', transfer({ dict_key: undefined }), '/dict_key DictTransferRequest/required'],
  [
    'discriminator',
    transfer({ type: 'pix' }),
    '/type TransferRequest/discriminator transfer-types',
  ],
  [
    'the discriminating property',
    transfer({ type: undefined }),
    '/type EmvTransferRequest/required',
  ],
  [
    'enum',
    transfer({ beneficiary: { account_type: 'OTHR' } }),
    '/beneficiary/account_type AccountTypeInput/enum account-kinds',
  ],
  [
    'format',
    transfer({ payment_date: '2026-02-30' }),
    '/payment_date FullDate/format timestamp-formats',
  ],
  [
    'pattern, fact',
    responseFindings('checkCode', 'staticCode', { original_amount: '1,0' }),
    '/original_amount Amount/pattern',
  ],
  [
    'enum of a response',
    check({ owner_type: 'ROBOT' }),
    '/owner_type KeyCheck/properties/owner_type/enum owner-kinds',
  ],
  ['required of a response', check({ id: undefined }), '/id KeyCheck/required'],
  ['null', check({ owner_name: null }), '/owner_name KeyCheck/properties/owner_name/type'],
  [
    'a type of several',
    responseFindings('checkCode', 'staticCode', { message: 7 }),
    '/message CodeCheck/properties/message/type',
  ],
  ['format of a response', webhook({ id: '17' }), '/id Id/format identifiers'],
  [
    'the branch of the type',
    webhook({ created_at: 'today' }),
    '/created_at WebhookTimestamp/anyOf/0/format timestamp-formats',
  ],
  ['no branch', webhook({ created_at: 7 }), '/created_at WebhookTimestamp/anyOf'],
  [
    'maxProperties',
    webhook({ created_at: { error: null, more: 1 } }),
    '/created_at WebhookTimestamp/anyOf/2/maxProperties',
  ],
  [
    'a fact in a branch',
    webhook({ created_at: { error: 1 } }),
    '/created_at/error WebhookTimestamp/anyOf/2/properties/error/type',
  ],
  [
    'minimum',
    charge({ calendar: { expiration_days: -1 } }),
    '/calendar/expiration_days DueDateCalendarInput/properties/expiration_days/minimum bounds',
  ],
  [
    'integer',
    charge({ calendar: { expiration_days: 1.5 } }),
    '/calendar/expiration_days DueDateCalendarInput/properties/expiration_days/type',
  ],
  [
    'maxItems',
    charge({ additional_infos: Array(51).fill({}) }),
    '/additional_infos DueDateQrCodeRequest/properties/additional_infos/maxItems bounds',
  ],
  [
    'uri',
    request('createWebhook', 'createAll', { url: 'not a url' }),
    '/url WebhookUrl/format webhook-url',
  ],
  [
    'a node that is assumed as a whole',
    responseFindings('createDueDateQrCode', 'dueDateQrCode', { emv: undefined }),
    '/emv QrCodeRecord/required qr-record',
  ],
  [
    'a keyword inside of it',
    responseFindings('createDueDateQrCode', 'dueDateQrCode', { status: 'PAGA' }),
    '/status QrCodeStatus/enum qr-statuses',
  ],
]

const splitEdges = edges.map(([what, found, expected]) => {
  const [pointer = '', place, question] = expected.split(' ')
  return { what, found, pointer, place: `${schemas}/${place}`, question }
})

test.each(splitEdges)(
  '$what: one finding at the keyword with its question',
  ({ found, pointer, place, question }) => {
    expect(found.map((it) => [it.pointer, it.contract, it.question])).toEqual([
      [pointer, place, question],
    ])
  },
)

test('every finding refers to an existing location in the contract, whose mark is its question', () => {
  for (const { what, found, place, question } of splitEdges) {
    const keyword = place.split('/').at(-1) ?? ''
    expect(valueAt(contract, place)).toBeDefined()
    expect(found[0]?.keyword).toBe(keyword)
    const mark = at(valueAt(contract, place.slice(0, place.lastIndexOf('/'))), 'x-open-question')
    if (what !== 'a node that is assumed as a whole')
      expect(typeof mark === 'string' ? mark : at(mark, keyword)).toBe(question)
  }
})

describe('the target of an assumption', () => {
  const delivery = (body: unknown) =>
    validator.validateDelivery({
      name: 'transfer.settled',
      headers: {
        ...JSON_HEADERS,
        'webhook-id': 'm',
        'webhook-timestamp': '1',
        'webhook-signature': `v1,${'A'.repeat(43)}=`,
      },
      body,
    })

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
      headers: {
        ...JSON_HEADERS,
        'webhook-id': 'm',
        'webhook-timestamp': '1',
        'webhook-signature': `v1,${'A'.repeat(43)}=`,
      },
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

  test('an unknown webhook', () => {
    expect(validator.validateDelivery({ name: 'transfer.lost' })).toMatchObject([
      { place: 'path', contract: '/webhooks', keyword: 'webhooks' },
    ])
  })
})

describe('beside the body', () => {
  const transferPath = { method: 'POST', path: '/mobile-bff/v1/pix/out/' }
  const pointer = '/paths/~1mobile-bff~1v1~1pix~1out~1'

  test('an undeclared path', () => {
    expect(
      validator.validateRequest({ ...transferPath, path: '/mobile-bff/v1/pix/out' }),
    ).toMatchObject([{ place: 'path', contract: '/paths', keyword: 'paths' }])
  })

  test('an undeclared method', () => {
    expect(validator.validateRequest({ ...transferPath, method: 'DELETE' })).toMatchObject([
      { place: 'method', contract: pointer, message: 'expected POST, got another method' },
    ])
  })

  test('a missing body', () => {
    expect(validator.validateRequest(transferPath)).toMatchObject([
      { place: 'body', pointer: '', contract: `${pointer}/post/requestBody/required` },
    ])
  })

  test.each([undefined, 'text/plain', 'application/jsonp', '', 'application/vnd.api+json'])(
    'media type %s',
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

  test('an undeclared status', () => {
    const [found] = validator.validateResponse(idOf('createTransfer'), { status: 418 })
    expect(found).toMatchObject({
      place: 'status',
      contract: `${pointer}/post/responses`,
      keyword: 'responses',
    })
    expect(found?.message).toMatch(/^expected 201 or .* or 503, got 418$/)
  })

  test('a missing response header', () => {
    const body = example('webhook')
    expect(
      validator.validateResponse(idOf('getWebhook'), { status: 200, headers: JSON_HEADERS, body }),
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

  test('a missing response body', () => {
    expect(
      validator.validateResponse(idOf('getWebhook'), { status: 200, headers: responseHeaders }),
    ).toMatchObject([
      { place: 'body', keyword: 'content', message: 'expected a body, got nothing' },
    ])
  })

  test('an operation of another validator throws a TypeError', () => {
    const other = { ...idOf('getWebhook') }
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
    expect(found.map(({ pointer, contract: it, keyword }) => [pointer, it, keyword])).toEqual([
      ['/emv', `${schemas}/DictTransferRequest/properties`, 'unknown'],
      ['/beneficiary/zip', `${schemas}/TransferBeneficiary/properties`, 'unknown'],
      ['/note', `${schemas}/DictTransferRequest/properties`, 'unknown'],
    ])
  })

  test('a free-form object has none', () => {
    const user = example('userWithCustomers') as { customers: Change[] }
    const customers = user.customers.map((it) => ({ ...it, metadata: { any: { thing: 1 } } }))
    const body = { ...user, customers }
    const response = { status: 200, headers: responseHeaders, body }
    expect(validator.validateResponse(idOf('getUser'), response, { unknown: true })).toEqual([])
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
