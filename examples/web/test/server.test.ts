import { randomUUID } from 'node:crypto'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createPayments } from '@partner-payments/client'
import {
  impersonate,
  onQrCodePaid,
  onTransferReceived,
  onTransferSettled,
} from '@partner-payments/client/fixtures'
import { generateSecret, signForTest } from '@partner-payments/client/webhooks'
import { type App, createApp as createSandbox } from '@partner-payments/sandbox'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { createApp } from '../server/app.ts'
import { type Backend, createBackend } from '../server/backend.ts'
import { reconcile } from '../server/reconcile.ts'
import type { Activity, Payment } from '../shared/payment.ts'

const ORIGIN = 'https://shop.example'
const ACCOUNT = 'a4c26fae-7b74-4a7e-a5e0-8f2917a1a87e'
const secret = generateSecret()
let folder: string
let sandbox: App
let backend: Backend
/** The way to the service. */
let transport: (request: Request) => Promise<Response>

beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'example-'))
  sandbox = await createSandbox()
  transport = sandbox.fetch
  backend = open()
})
afterEach(async () => {
  backend.database.close()
  await sandbox.close()
  rmSync(folder, { recursive: true })
})

const signIn = (clientKey: string) =>
  createPayments({
    baseUrl: 'http://localhost',
    auth: { clientKey, clientSecret: 'secret' },
    fetch: (url, init) => transport(new Request(url, init)),
  })

/** As a start of the server: all that it knows is in the file. */
function open(webhookSecrets = [secret]): Backend {
  const client = signIn('partner').as(impersonate.request.actForCustomer)
  return createBackend(
    { client, ownKey: 'fulano@example.com', ownAccount: ACCOUNT, webhookSecrets },
    join(folder, 'payments.db'),
  )
}

function restart(): void {
  backend.database.close()
  backend = open()
}

/** A code of 10.50 that pays somebody else. */
async function createShopCode(): Promise<string> {
  const dict_key = '7d9f0335-8dcc-4054-9bf9-0dbd61d36906'
  const charge = { dict_key, tx_id: 'SHOP'.padEnd(26, '1'), amount: { original: '10.50' } }
  return (await signIn('other').qrcodes.createImmediate(charge)).emv
}

async function request(path: string, init: RequestInit = {}): Promise<Response> {
  return createApp(backend, { origins: [ORIGIN], page: folder }).request(ORIGIN + path, init)
}
const json = (body: unknown) => ({
  method: 'POST',
  headers: { 'content-type': 'application/json' },
  body: JSON.stringify(body),
})
async function post(path: string, value: string): Promise<Payment> {
  return (await request(path, json({ value }))).json() as Promise<Payment>
}

async function payment(id: string): Promise<Payment> {
  const response = await request(`/api/payments/${id}`)
  return response.json() as Promise<Payment>
}

interface Transfer {
  readonly id: string
  readonly description: string
}

function transfers() {
  return sandbox.store.read((queries) =>
    queries.all<Transfer>('SELECT id, description FROM transfers'),
  )
}

/** The event of a transfer, as the service would deliver it. */
function eventOf(description: string, id: string = randomUUID(), more: object = {}) {
  const event = onTransferSettled.request.transferSettled
  const ours = { account_id: ACCOUNT, amount: '25.00' }
  const data = { ...event.data, id, description, ...ours, ...more }
  return signForTest({ ...event, data }, secret)
}

const CREDIT = {
  amount: '35.90',
  end_to_end_id: 'E99999029202611021436kQ7rS8tU9vW',
  paid_at: '2026-11-02T14:36:00Z',
  payer: { name: 'Beltrana de Tal', tax_id: '11144477735' },
}

/** The event of a credit of our account, each time with another id. */
function receivedEvent(data: object = {}) {
  const event = onTransferReceived.request.transferReceived
  const ours = { account_id: ACCOUNT, payment: CREDIT }
  return signForTest({ ...event, data: { ...event.data, ...ours, ...data } }, secret)
}

/** The event of a paid QR code, each time with another id. */
function paidEvent(tx_id: string) {
  const event = onQrCodePaid.request.qrCodePaid
  return signForTest({ ...event, data: { ...event.data, tx_id, payment: CREDIT } }, secret)
}

async function payments(): Promise<Activity> {
  const reader = (await request('/api/live')).body?.getReader()
  const { value } = (await reader?.read()) ?? {}
  await reader?.cancel()
  const [, data = ''] = /^data: (.*)$/m.exec(new TextDecoder().decode(value)) ?? []
  return JSON.parse(data)
}

function deliveries() {
  const rows = backend.database.prepare('SELECT times, result FROM deliveries').all()
  // The rows of SQLite have no prototype.
  return rows.map((row) => ({ ...row }))
}

test('a delivery that is repeated after a restart is not applied again', async () => {
  const delivery = await eventOf('Somebody else')
  expect((await request('/webhooks', delivery)).status).toBe(204)
  restart()
  expect((await request('/webhooks', delivery)).status).toBe(204)
  expect(deliveries()).toEqual([{ times: 2, result: 'done' }])
})

test('a delivery that is not genuine is refused with 400, and not stored', async () => {
  const { headers, body } = await eventOf('Somebody else')
  const forged = body.replace('25.00', '99.00')
  const response = await request('/webhooks', { method: 'POST', headers, body: forged })
  expect([response.status, await response.json()]).toEqual([400, { code: 'signature-mismatch' }])
  expect((await request('/webhooks', { method: 'POST', body })).status).toBe(400)

  const large = { method: 'POST', body: 'x'.repeat(129 * 1024) }
  expect((await request('/webhooks', large)).status).toBe(413)
  expect(deliveries()).toEqual([])
})

test('a secret that is malformed is our fault: 500, so that the event comes again', async () => {
  backend.database.close()
  backend = open(['half'])
  expect((await request('/webhooks', await eventOf('Somebody else'))).status).toBe(500)
})

test('a payment that was being sent when the process ended is unknown, and settled by its event', async () => {
  const { id } = await post('/api/keys', 'beltrana@example.com')
  const { promise: isDone, resolve } = Promise.withResolvers<void>()
  transport = async (request) => {
    await sandbox.fetch(request)
    resolve()
    return new Promise(() => {})
  }
  post(`/api/payments/${id}`, '25.00').catch(() => {})
  await isDone
  restart()
  expect(await payment(id)).toMatchObject({ state: 'unknown', amount: '25.00' })
  expect((await post(`/api/payments/${id}`, '25.00')).state).toBe('unknown')

  const [transfer] = await transfers()
  await request('/webhooks', await eventOf(`${transfer?.description}`, transfer?.id))
  expect(await payment(id)).toMatchObject({ state: 'settled', amount: '25.00' })
  expect(await transfers()).toHaveLength(1)
})

test('an event of another customer ends no payment, although it has our description and amount', async () => {
  const { id } = await post('/api/keys', 'beltrana@example.com')
  transport = async (request) => {
    await sandbox.fetch(request)
    throw new TypeError('the response is lost')
  }
  await post(`/api/payments/${id}`, '25.00')
  transport = sandbox.fetch
  const [transfer] = await transfers()
  const description = `Payment ${id}`
  expect(transfer?.description).toBe(description)

  const ofPayee = { account_id: randomUUID() }
  await request('/webhooks', await eventOf(description, randomUUID(), ofPayee))
  expect((await payment(id)).state).toBe('unknown')
  await request('/webhooks', await eventOf(description, transfer?.id))
  expect((await payment(id)).state).toBe('settled')
})

test('an event that was stored but not applied is applied after a restart', async () => {
  const { id } = await post('/api/keys', 'beltrana@example.com')
  await post(`/api/payments/${id}`, '25.00')
  const [transfer] = await transfers()
  const { body } = await eventOf('', transfer?.id)
  backend.database
    .prepare(`INSERT INTO deliveries (id, body, at) VALUES ('msg_1', ?, ?)`)
    .run(body, Date.now())
  restart()
  await reconcile(backend)
  expect((await payment(id)).state).toBe('settled')
  expect(deliveries()).toEqual([{ times: 1, result: 'done' }])
})

test('an event that shows another amount settles nothing, and stops no other', async () => {
  const { id } = await post('/api/keys', 'beltrana@example.com')
  await post(`/api/payments/${id}`, '26.00')
  await request('/webhooks', await eventOf(`Payment ${id}`, (await transfers())[0]?.id))
  await request('/webhooks', await eventOf('Somebody else'))
  expect((await payment(id)).state).toBe('pending')
  expect(deliveries().map(({ result }) => result)).toEqual(['failed', 'done'])
})

test.each([
  { order: 'qrcode.paid first', isPaidFirst: true },
  { order: 'transfer.received first', isPaidFirst: false },
])(
  'a paid QR code is booked once, though two events report it: $order',
  async ({ isPaidFirst }) => {
    const { id } = await post('/api/charges', '30.00')
    const qrcode = { id: randomUUID(), kind: 'Immediate' }
    const events = [await paidEvent(id), await receivedEvent({ tx_id: id, qrcode })]
    if (!isPaidFirst) events.reverse()
    for (const event of events) {
      await request('/webhooks', event)
      restart()
    }

    expect(await payments()).toMatchObject({ received: '35.90', payments: [{ id }] })
    expect(await payment(id)).toMatchObject({
      state: 'settled',
      name: 'Beltrana de Tal',
      document: '11144477735',
      amount: '35.90',
      end_to_end_id: CREDIT.end_to_end_id,
      receipt: { settled_at: CREDIT.paid_at, tx_id: id },
    })
    expect(deliveries().map(({ result }) => result)).toEqual(['done', 'done'])
  },
)

test('a static code that somebody else wrote with the tx_id of a charge pays no charge', async () => {
  const { id } = await post('/api/charges', '500.00')
  const credit = { ...CREDIT, amount: '0.01' }
  await request('/webhooks', await receivedEvent({ tx_id: id, qrcode: null, payment: credit }))
  expect(await payment(id)).toMatchObject({ state: 'open', amount: '500.00' })
  expect((await payments()).received).toBe('0.01')
})

test('a payment to a key is booked once, with its payer, time and end-to-end id', async () => {
  for (let times = 0; times < 2; times++)
    await request('/webhooks', await receivedEvent({ tx_id: '', qrcode: null }))
  const { payments: all, received } = await payments()
  expect(all).toHaveLength(1)
  expect(all[0]).toMatchObject({
    direction: 'in',
    state: 'settled',
    name: 'Beltrana de Tal',
    amount: '35.90',
    receipt: { settled_at: CREDIT.paid_at, end_to_end_id: CREDIT.end_to_end_id },
  })
  expect(received).toBe('35.90')
})

test('two payments of the same amount and payer are two', async () => {
  const second = { ...CREDIT, end_to_end_id: 'E99999029202611021437kQ7rS8tU9vX' }
  await request('/webhooks', await receivedEvent())
  await request('/webhooks', await receivedEvent({ payment: second }))
  expect((await payments()).received).toBe('71.80')
})

test('an amount counts as what it is, however the service writes it', async () => {
  for (const [n, amount] of ['10.5', '7', '0.010', '1.00'].entries()) {
    const credit = { ...CREDIT, amount, end_to_end_id: `E9999902920261102143${n}kQ7rS8tU9vX` }
    await request('/webhooks', await receivedEvent({ tx_id: '', payment: credit }))
  }
  const { received, payments: all } = await payments()
  expect(received).toBe('18.51')
  expect(all.map(({ amount }) => amount).sort()).toEqual(['0.01', '1.00', '10.50', '7.00'])
})

test('what other customers of the partner receive is not booked', async () => {
  await request('/webhooks', await receivedEvent({ account_id: randomUUID() }))
  await request('/webhooks', await paidEvent('OTHER'.padEnd(26, '1')))
  expect(await payments()).toMatchObject({ received: '0.00', payments: [] })
  expect(deliveries().map(({ result }) => result)).toEqual(['done', 'done'])
})

test('a receipt shows what the event of the transfer showed, and no whole CPF', async () => {
  const { id } = await post('/api/keys', 'beltrana@example.com')
  await post(`/api/payments/${id}`, '25.00')
  const [transfer] = await transfers()
  expect((await payment(id)).receipt).toBeNull()
  await request('/webhooks', await eventOf(`Payment ${id}`, transfer?.id))

  const { receipt } = await payment(id)
  const { data } = onTransferSettled.request.transferSettled
  expect(receipt).toMatchObject({
    amount: '25.00',
    settled_at: data.settled_at,
    end_to_end_id: data.end_to_end_id,
    payer: { name: data.payer.name, ispb: data.payer.ispb },
    payee: { name: data.beneficiary.name, ispb: data.beneficiary.ispb },
  })
  expect(receipt?.payer.document).toMatch(/^(\*{3}\.\d{3}\.\d{3}-\*{2}|[\dA-Z]{14})$/)
  expect(JSON.stringify(receipt)).not.toMatch(/"\d{11}"/)
})

test('the stream of a page ends with the page, and no more than 100 are open', async () => {
  const streams = await Promise.all(Array.from({ length: 100 }, () => request('/api/live')))
  const pages = streams.map(({ body }) => (body as ReadableStream<Uint8Array>).getReader())
  const read = async () => new TextDecoder().decode((await pages[0]?.read())?.value)
  expect(await read()).toContain('"payments":[]')
  const { id } = await post('/api/charges', '35.90')
  expect(await read()).toContain(id)
  expect((await request('/api/live')).status).toBe(503)
  for (const page of pages) await page.cancel()
  await expect.poll(() => backend.feed.listenerCount('change')).toBe(0)
})

test('calls at once, and calls again, pay once', async () => {
  const { id } = await post('/api/keys', 'beltrana@example.com')
  await Promise.all([1, 2, 3].map(() => post(`/api/payments/${id}`, '25.00')))
  expect((await post(`/api/payments/${id}`, '25.00')).state).toBe('pending')
  expect(await transfers()).toHaveLength(1)
})

test('a code is paid with its own amount, and with no other', async () => {
  const { id, amount } = await post('/api/codes', await createShopCode())
  expect(amount).toBe('10.50')
  expect((await request(`/api/payments/${id}`, json({ value: '10.51' }))).status).toBe(409)
  expect(await post(`/api/payments/${id}`, '10.50')).toMatchObject({ state: 'pending' })
  expect(await transfers()).toHaveLength(1)
})

test.each(['settled', 'pending'])(
  'a payment is %s although its response has essential fields alone',
  async (status) => {
    const { id } = await post('/api/keys', 'beltrana@example.com')
    transport = async (request) => {
      const made = await sandbox.fetch(request)
      if (!request.url.includes('/pix/out/')) return made
      return Response.json({ id: 't', status, data: { amount: '25.00' } }, { status: 201 })
    }
    expect(await post(`/api/payments/${id}`, '25.00')).toMatchObject({ state: status })
  },
)

test('a refused payment says why, and another one may follow', async () => {
  const { id } = await post('/api/keys', 'beltrana@example.com')
  const refused = await post(`/api/payments/${id}`, '9999999.00')
  expect(refused).toMatchObject({
    state: 'refused',
    reason: 'There is not enough money in the account.',
  })
  const second = await post('/api/keys', 'beltrana@example.com')
  expect(await post(`/api/payments/${second.id}`, '25.00')).toMatchObject({ state: 'pending' })
})

test('a check that fails says so with 422 if it is refused, and with 502 if the service does not work', async () => {
  const refused = await request('/api/keys', json({ value: 'nobody@example.com' }))
  expect([refused.status, await refused.json()]).toEqual([422, { message: 'Nobody has this key.' }])
  transport = async () => Response.json({ status: 500 }, { status: 500 })
  const failed = await request('/api/keys', json({ value: 'beltrana@example.com' }))
  expect([failed.status, await failed.json()]).toEqual([
    502,
    { message: 'The payments service is not available.' },
  ])
})

test('a QR code whose response was lost is found by its tx_id', async () => {
  transport = async (request) => {
    const response = await sandbox.fetch(request)
    if (request.url.endsWith('/immediate')) throw new TypeError('the response is lost')
    return response
  }
  const { id, state } = await post('/api/charges', '35.90')
  expect(state).toBe('unknown')
  transport = sandbox.fetch
  restart()
  // Somebody else's, and more than a page of ours: the list shows it last.
  await createShopCode()
  for (let amount = 1; amount <= 20; amount++) await post('/api/charges', `${amount}.00`)
  await reconcile(backend)
  expect(await payment(id)).toMatchObject({
    state: 'open',
    emv: expect.stringContaining('br.gov.bcb.pix'),
  })
})

/** Shows open QR codes with a status that the contract does not list. */
async function fetchWithOtherStatus(request: Request): Promise<Response> {
  const response = await sandbox.fetch(request)
  if (!request.url.includes('/immediate')) return response
  const body = (await response.text()).replaceAll('"ATIVA"', '"EM_ABERTO"')
  return new Response(body, response)
}

test('a QR code with a status that the contract does not list is unknown until its status is known', async () => {
  transport = fetchWithOtherStatus
  const { id, state, emv } = await post('/api/charges', '35.90')
  expect([state, emv]).toEqual(['unknown', expect.stringContaining('br.gov.bcb.pix')])

  transport = sandbox.fetch
  await reconcile(backend)
  expect(await payment(id)).toMatchObject({ state: 'open' })
})

test('a lost QR code is found, however many others have a status that the contract does not list', async () => {
  transport = fetchWithOtherStatus
  for (let amount = 1; amount <= 20; amount++) await post('/api/charges', `${amount}.00`)
  transport = async (request) => {
    await sandbox.fetch(request)
    throw new TypeError('the response is lost')
  }
  const { id } = await post('/api/charges', '35.90')
  transport = fetchWithOtherStatus
  await reconcile(backend)
  expect(await payment(id)).toMatchObject({ emv: expect.stringContaining('br.gov.bcb.pix') })
})

test('a QR code that was created is not requested again, although the list leaves it out', async () => {
  transport = fetchWithOtherStatus
  const { id } = await post('/api/charges', '35.90')
  const methods: string[] = []
  transport = async (request) => {
    if (!request.url.includes('/immediate')) return sandbox.fetch(request)
    methods.push(request.method)
    return Response.json({ data: [], next_cursor: null })
  }
  await reconcile(backend)
  expect(methods).toEqual(['GET'])
  expect(await payment(id)).toMatchObject({ state: 'unknown' })
})

test('a QR code whose request was lost is requested again', async () => {
  transport = async (request) => {
    if (request.url.endsWith('/immediate')) throw new TypeError('the request is lost')
    return sandbox.fetch(request)
  }
  const { id } = await post('/api/charges', '35.90')
  transport = sandbox.fetch
  await reconcile(backend)
  expect(await payment(id)).toMatchObject({ state: 'open' })
})

test.each([
  {
    what: 'a form of another site',
    init: { method: 'POST', headers: { origin: 'https://evil.example' }, body: 'value=1.00' },
    status: 403,
  },
  { what: 'a body that is no JSON', init: { ...json(0), body: '{' }, status: 400 },
  { what: 'null', init: json(null), status: 400 },
  { what: 'an amount that is a number', init: json({ value: 10.5 }), status: 400 },
  { what: 'an amount with three decimals', init: json({ value: '10.500' }), status: 400 },
  { what: 'a body that is too large', init: json({ value: '1'.repeat(5000) }), status: 413 },
])('refuses $what', async ({ init, status }) => {
  expect((await request('/api/charges', init)).status).toBe(status)
})

test('keeps an old delivery that could not be applied, and no old one that was', async () => {
  const insert = backend.database.prepare(
    'INSERT INTO deliveries (id, body, at, result) VALUES (?, ?, 0, ?)',
  )
  insert.run('msg_failed', '{}', 'failed')
  insert.run('msg_done', '{}', 'done')
  await request('/webhooks', await eventOf('Somebody else'))
  const rows = backend.database.prepare('SELECT id FROM deliveries WHERE at = 0').all()
  expect(rows.map(({ id }) => id)).toEqual(['msg_failed'])
})

test('refuses a host that is not its own, except for deliveries', async () => {
  const app = createApp(backend, { origins: [ORIGIN], page: folder })
  expect((await app.request('https://evil.example/api/live')).status).toBe(403)
  const delivery = await eventOf('Any')
  expect((await app.request('https://tunnel.example/webhooks', delivery)).status).toBe(204)
})
