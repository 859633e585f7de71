import { expect, test } from 'vitest'
import { readContract } from '../../src/contract/contract.ts'
import { createGuard, type GuardOptions, UNREADABLE } from '../../src/send/guard.ts'

const contract = readContract()
const PREFIX = '/mobile-bff/v1'
/** Paths without the prefix. */
const SHORT_PATHS: ReadonlySet<string> = new Set(['/partners/webhooks', '/pix/out'])
const OWN = '11111111-1111-4111-8111-111111111111'
const CREATE = 'POST /partner/webhook'

function request(line: string, body?: unknown, headers = {}) {
  const [method = '', path = ''] = line.split(' ')
  const isShort = SHORT_PATHS.has(path)
  const text = typeof body === 'string' ? body : JSON.stringify(body)
  return {
    method,
    path: isShort ? path : PREFIX + path,
    headers,
    ...(body !== undefined && { body: text }),
  }
}

/** A guard of a live service, on which the run has created one webhook. */
function guardOf(options: Partial<GuardOptions> = {}) {
  const guard = createGuard(contract, { target: 'live', ...options })
  const created = request(CREATE, {})
  guard.begin(created)
  guard.end(created, 201, { id: OWN })
  return guard
}

/** Why a request is not sent; undefined if it is. */
function reason(
  line: string,
  body?: unknown,
  options?: Partial<GuardOptions>,
  headers?: object,
): string | undefined {
  return guardOf(options).findForbiddenReason(request(line, body, headers))
}

test.each([
  'GET /partner/user',
  'POST /auth/partner/token/',
  'POST /auth/partner/impersonate/',
  'POST /pix/brcode/emv/',
  'POST /pix/dict/check/',
  CREATE,
  'POST /partners/webhooks',
  'GET /partner/webhook/0',
  `PATCH /partner/webhook/${OWN}`,
  `PATCH /partner/webhook/${OWN}/secret`,
  `DELETE /partner/webhook/${OWN}`,
])('it lets a live service have %s', (line) => {
  expect(reason(line, {})).toBeUndefined()
})

test.each([
  'POST /pix/qrcode/static/',
  'POST /pix/out/',
  'POST /pix/out',
  'POST /pix//out/',
  'POST /pix/out/?x=1',
  'POST /pix/%6Fut/',
  'PUT /pix/out/',
  'PATCH /partner/webhook/0',
  `PATCH /partner/webhook/0?id=${OWN}`,
  `DELETE /partner/webhook/0/../${OWN}`,
  `DELETE /partner/webhook/${OWN}%2F..%2F0`,
  `DELETE /partner/webhook/${OWN.replace('1', '2')}`,
  'DELETE /pix/qrcode/dynamic/immediate/0',
  `PUT /partner/webhook/${OWN}`,
])('it keeps %s from a live service', (line) => {
  expect(reason(line, { amount: '0.01' })).toMatch(/^not sent: /)
})

test('it keeps a read that a header makes a change', () => {
  expect(reason('GET /pix/out/', undefined, {}, { 'X-HTTP-Method-Override': 'POST' })).toMatch(
    /another method/,
  )
})

const allowPayments = { maxAmount: '1.00' }
test.each(['0.01', '1.00'])(
  'it lets a live service have a payment of %s if 1.00 is allowed',
  (amount) => {
    for (const path of ['/pix/out/', '/pix/out'])
      expect(reason(`POST ${path}`, { amount }, { allowPayments })).toBeUndefined()
  },
)

test.each([
  { amount: '1.01' },
  { amount: '10.00' },
  { amount: '1' },
  { amount: '1.0' },
  { amount: '1e0' },
  { amount: '-1.00' },
  { amount: 1 },
  { amount: 0.5 },
  { amount: null },
  { amount: undefined },
  { amount: ['0.01'] },
  { amount: '0,01' },
  { amount: ' 0.01' },
  '{"amount":"999.00","amount":"0.01"}',
  '{"amount":"0.01" }',
  '{"amount":"0.01"',
  '[{"amount":"0.01"}]',
  '',
])('it keeps the payment %j where 1.00 is allowed, since it may be read as more', (body) => {
  expect(reason('POST /pix/out/', body, { allowPayments })).toBe(
    'not sent: the payment is above 1.00',
  )
})

test('it lets a live service have a body that nobody can execute, but not a change', () => {
  expect(reason('POST /pix/out/', UNREADABLE)).toBeUndefined()
  expect(reason('PATCH /partner/webhook/0', UNREADABLE)).toMatch(/only records of this run/)
})

test('it creates no more than 50 records at a time, counting those without a response', () => {
  const guard = guardOf()
  const sent = request(CREATE, {})
  const statusOf = (count: number) => {
    if (count === 0) return 0
    return count === 1 ? 400 : 201
  }
  for (let i = 0; i < 60 && !guard.findForbiddenReason(sent); i++) {
    guard.begin(sent)
    guard.end(sent, statusOf(i), { id: `id-${i}` })
  }
  expect(guard.findForbiddenReason(sent)).toBe(
    'not sent: the limit of created records on a live service is reached',
  )
  const ended = request('DELETE /partner/webhook/id-2')
  guard.begin(ended)
  guard.end(ended, 204, undefined)
  expect(guard.findForbiddenReason(sent)).toBeUndefined()
})

const CREATION = request(CREATE, {})

/** Creates a webhook, which the guard must allow. The response shows this. */
function createThrough(guard: ReturnType<typeof createGuard>, shown: unknown): void {
  expect(guard.findForbiddenReason(CREATION)).toBeUndefined()
  guard.begin(CREATION)
  guard.end(CREATION, 201, shown)
}

test('it counts a record whose deletion got a 409 among those that exist', () => {
  const guard = createGuard(contract, { target: 'live' })
  for (let i = 0; i < 50; i++) {
    createThrough(guard, { id: `id-${i}` })
    guard.end(request(`DELETE /partner/webhook/id-${i}`), 409, undefined)
  }
  expect(guard.findForbiddenReason(CREATION)).toMatch(/the limit of created records/)
})

test('it changes a record of the kind that it has created, and none of another kind with the same id', () => {
  const guard = guardOf()
  const sent = request('POST /pix/qrcode/dynamic/due-date', {})
  guard.begin(sent)
  guard.end(sent, 200, { id: '21' })
  const cancel = (kind: string) =>
    guard.findForbiddenReason(request(`DELETE /pix/qrcode/dynamic/${kind}/21`))
  expect(cancel('due-date')).toBeUndefined()
  expect(cancel('immediate')).toMatch(/only records of this run/)
})

test.each([{}, { id: 7 }])(
  'it counts creations whose response is %j among the records that exist',
  (json) => {
    const guard = createGuard(contract, { target: 'live' })
    for (let i = 0; i < 50; i++) createThrough(guard, json)
    expect(guard.findForbiddenReason(CREATION)).toMatch(/the limit of created records/)
  },
)

test('it counts a record once, although a service returns it for each repeated creation', () => {
  const guard = createGuard(contract, { target: 'live' })
  for (let i = 0; i < 60; i++) createThrough(guard, { id: '21' })
})

test('it lets a sandbox have everything', () => {
  expect(reason('POST /pix/out/', { amount: '999.00' }, { target: 'sandbox' })).toBeUndefined()
})

const KEY = 'beltrana@example.com'
const CUSTOMER = { user_id: OWN, customer_id: '22222222-2222-4222-8222-222222222222' }

test.each([
  { line: 'POST /pix/dict/check/', body: { dict_key: KEY }, option: '--set checkKey/dict_key' },
  { line: 'POST /auth/partner/impersonate/', body: CUSTOMER, option: '--set impersonate/user_id' },
])('it sends $line of a live service only for whom the user names', ({ line, body, option }) => {
  expect(reason(line, body)).toContain(option)
  const named = { keys: new Set([KEY]), customer: CUSTOMER }
  expect(reason(line, body, { named })).toBeUndefined()
})

test('it looks up a key of a live service that the contract forbids, which is that of nobody', () => {
  expect(reason('POST /pix/dict/check/', { dict_key: 5 })).toBeUndefined()
})
