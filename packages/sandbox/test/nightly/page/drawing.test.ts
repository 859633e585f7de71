import { beforeEach, describe, expect, test } from 'vitest'
import type { State } from '../../../src/control/state.ts'
import {
  expectAccessible,
  openPage,
  openPages,
  page,
  pay,
  sandbox,
  section,
} from '../../page/open-page.ts'

// The page of a sandbox that shows it other states than its own.

openPages()

/** A state with a record of each kind. */
let real: State
/** What the page is shown, which a test changes. */
let shown: object
let shownExchange: object

beforeEach(async () => {
  await sandbox.partner.webhooks.create({ type: 'all', url: 'https://loja.example.com/pix' })
  await pay('25.00')
  real = await sandbox.state()
  shown = EMPTY
  shownExchange = exchange('201')
  await page.route('**/_sandbox/state', (route) => route.fulfill({ json: shown }))
  await page.route(/_sandbox\/requests\//, (route) => route.fulfill({ json: shownExchange }))
})

const EMPTY = {
  clock: { now: '2026-11-21T12:00:00Z', frozen: true, ahead_seconds: 0 },
  storage: 'memory',
  docs: null,
  accounts: [],
  transfers: [],
  incoming: [],
  qrcodes: [],
  webhooks: [],
  requests: [],
  faults: [],
}

/** Changes the state that the page is shown, and notifies it. */
async function show(state: object): Promise<void> {
  shown = { ...shown, ...state }
  await sandbox.fetch(
    new Request(`${sandbox.url}/_sandbox/deliveries/redeliver`, { method: 'POST' }),
  )
}

async function open(state: object = {}): Promise<void> {
  await show(state)
  await openPage(sandbox.url)
}

const account = (over: object = {}) => ({ ...real.accounts[0], id: 'account-1', ...over })
const transfer = (over: object = {}) => ({ ...real.transfers[0], ...over })
const qrcode = (over: object = {}) => ({ ...real.qrcodes[0], ...over })
const webhook = (over: object = {}) => ({ ...real.webhooks[0], deliveries: [], ...over })

interface RequestFields {
  readonly findings?: readonly object[]
  readonly [name: string]: unknown
}

const request = (number = 1, over: RequestFields = {}) => ({
  ...real.requests[0],
  request_id: `req_${number}`,
  status: 400,
  findings_count: over.findings?.length ?? 0,
  ...over,
})

/** A refused request. */
function exchange(text: string) {
  const headers = [['x-text', text]]
  const message = (is_cut: boolean) => ({ headers, body: { text, bytes: text.length, is_cut } })
  const errors = [{ pointer: text, detail: text }]
  return {
    method: 'POST',
    path: '/mobile-bff/v1/pix/out/',
    query: '',
    request: message(false),
    response: message(true),
    refusal: { code: text, detail: text, errors, when: text, fix: text, question: text },
  }
}

test.each([
  { state: 'inactive', over: { status: 'inactive' } },
  { state: 'deleted', over: { deleted_at: '2026-11-21T11:00:00Z' } },
])('does not offer to redeliver to a webhook that is $state', async ({ over }) => {
  const delivery = {
    event_id: 'msg_1',
    type: 'transfer.settled',
    status: 'dead',
    due_at: null,
    attempts: [],
  }
  const other = webhook({
    id: 'webhook-2',
    url: 'https://outra.example.com/pix',
    deliveries: [delivery],
  })
  await open({ webhooks: [webhook({ ...over, deliveries: [delivery] }), other] })
  await section('Webhooks').getByText('msg_1').first().waitFor()
  const names = await page.getByRole('button', { name: /^Send again/ }).allTextContents()
  expect(names).toEqual(['Send again msg_1 to https://outra.example.com/pix'])
})

test('links to the docs, their form “Try it” and the code of a refusal, if it knows them', async () => {
  const links = page.getByRole('navigation', { name: 'Docs' })
  await open()
  expect(await links.getByRole('link').count()).toBe(0)

  const docs = {
    home: 'http://127.0.0.1:4000/',
    form: 'http://127.0.0.1:4000/operations/createTransfer.html#try-it',
    errors: 'http://127.0.0.1:4000/behaviour/errors.html',
  }
  await open({ docs, requests: [request()] })
  expect(await links.getByRole('link', { name: 'Docs' }).getAttribute('href')).toBe(docs.home)
  expect(await links.getByRole('link', { name: 'Try it' }).getAttribute('href')).toBe(docs.form)

  await section('Requests').locator('summary').click()
  const code = section('Requests').getByRole('link', { name: '201' })
  expect(await code.getAttribute('href')).toBe(`${docs.errors}#201`)
})

describe('while a hundred rows change', () => {
  const finding = { place: 'body', pointer: '/amount', message: 'expected two decimals' }
  const rows = (from: number) =>
    Array.from({ length: 100 }, (_, i) => request(from - i, { findings: [finding] }))

  beforeEach(() => open({ accounts: [account()], requests: rows(1000) }))

  test('the first twenty are shown, and all of them when asked for', async () => {
    const shown = section('Requests').locator('.list > li')
    expect(await shown.count()).toBe(20)

    await page.getByRole('button', { name: 'Show all 100 requests' }).click()
    await expect.poll(() => shown.count()).toBe(100)
  })

  test('focus, typed text, open details and the scroll position stay', async () => {
    const row = section('Requests').locator('.list > li').filter({ hasText: 'req_990' })
    const field = page.getByLabel('to deposit into Loja Exemplo')
    await field.fill('7.5')

    await row
      .locator('summary')
      .evaluate((summary) => summary.parentElement?.toggleAttribute('open'))
    await row.getByText('201').first().waitFor()
    await row.evaluate((element) => element.scrollIntoView({ block: 'start' }))
    const before = await row.boundingBox()

    await show({ accounts: [account({ balance: '1.00' })], requests: rows(1005) })
    await page.getByText('R$ 1.00').waitFor()
    await page.getByText('req_1005').waitFor({ state: 'attached' })

    expect(await row.locator('details').getAttribute('open')).toBe('')
    expect(await field.evaluate((element) => element.matches(':focus'))).toBe(true)
    expect(await field.inputValue()).toBe('7.5')

    const after = await row.boundingBox()
    const moved = Math.abs((after?.y ?? Number.NaN) - (before?.y ?? Number.NaN))
    // Each new row is 60 pixels high.
    expect(moved).toBeLessThan(2)
  })
})

test('polls if the stream is refused, and shows when nothing responds', async () => {
  await page.clock.install()
  await open()

  const livenessAfterPoll = async () => {
    await page.clock.runFor(2_000)
    return page.locator('#live').textContent()
  }

  await page.route('**/_sandbox/stream', (route) => route.fulfill({ status: 503 }))
  sandbox.drain()
  await expect.poll(livenessAfterPoll).toBe('Polling')

  await show({ transfers: [transfer()] })
  await page.clock.runFor(2_000)
  await section('Transfers').getByText('R$ 25.00').waitFor()
  await page.route('**/_sandbox/state', (route) => route.abort())
  await expect.poll(livenessAfterPoll).toBe('No response')
})

describe('with every element, and very long words', () => {
  const long = 'x'.repeat(300)
  const attempt = { at: '2026-11-21T11:59:00Z', duration_ms: 12, number: 1, ok: true, status: 200 }
  const attempts = [
    {
      ...attempt,
      ok: false,
      status: 503,
      reason: 'status',
      detail: `the receiver returned 503 ${long}`,
    },
    { ...attempt, number: 2, reason: '', detail: '' },
  ]
  const delivery = { event_id: 'msg_1', type: 'transfer.settled', status: 'pending', attempts }
  const paymentBy = (name: string) => ({
    amount: '10.00',
    end_to_end_id: long,
    paid_at: '2026-11-21T11:59:00Z',
    payer: { name, tax_id: '12345678909' },
  })
  const finding = { place: 'body', pointer: `/${long}`, message: long }
  const findings = ['amounts', null].map((question) => ({ ...finding, question }))
  const full = () => ({
    clock: { now: '2027-12-26T12:00:00Z', frozen: false, ahead_seconds: 400 * 86_400 },
    accounts: [
      account({ trade_name: long, keys: [long] }),
      account({ id: 'account-2', balance: '9'.repeat(20) }),
    ],
    transfers: ['pending', 'settled', 'rejected'].map((status) =>
      transfer({
        id: status,
        status,
        payee: long,
        rejection_message: status === 'rejected' ? long : '',
      }),
    ),
    qrcodes: [
      qrcode({ emv: long }),
      qrcode({ id: 'code-2', status: 'REMOVIDA_PELO_USUARIO_RECEBEDOR', tx_id: long }),
      qrcode({ id: 'code-3', kind: 'Static', tx_id: 'static' }),
      qrcode({ id: 'code-4', status: 'CONCLUIDA', payment: paymentBy(long) }),
    ],
    incoming: [{ ...paymentBy(long), id: 'incoming-1', payer: long, payee: long }],
    webhooks: [
      webhook({
        url: `https://${long}`,
        deliveries: [{ ...delivery, due_at: '2026-11-21T12:05:00Z' }],
      }),
    ],
    requests: [200, 400, 500].map((status) =>
      request(status, { status, path: `/${long}`, findings }),
    ),
  })

  beforeEach(async () => {
    shownExchange = exchange(long)
    await open(full())
    await page.locator('details').evaluateAll((elements) => {
      for (const details of elements) details.setAttribute('open', '')
    })
    await page.getByText('Send it again').first().waitFor()
  })

  test.each([
    { width: 320, scheme: 'dark' },
    { width: 768, scheme: 'light' },
    { width: 1360, scheme: 'dark' },
    { width: 1360, scheme: 'light' },
  ] as const)(
    'axe finds nothing serious at $width pixels, $scheme, and all of it fits',
    async ({ width, scheme }) => {
      await expectAccessible(width, scheme)
      const beyond = 'document.documentElement.scrollHeight - Math.ceil(document.body.offsetHeight)'
      expect(await page.evaluate<number>(beyond)).toBeLessThanOrEqual(0)

      const overflows = await page.locator('main *').evaluateAll((elements) => {
        const longer = elements.filter(
          ({ scrollHeight, clientHeight }) => scrollHeight > clientHeight + 1,
        )
        return longer.map((element) => String(element.computedStyleMap().get('overflow-y')))
      })
      expect(overflows).not.toContain('auto')
    },
  )
})
