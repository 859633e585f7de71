import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import { type Browser, type BrowserContext, launch, type Page } from '@partner-payments/chromium'
import { createPayments, type Payments } from '@partner-payments/client'
import jsqr from 'jsqr'
import { PNG } from 'pngjs'
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest'
import type { State as Answered } from '../../src/control/state/state.ts'
import type { State } from '../../src/page/browser/state.ts'
import { type RunningSandbox, serve } from '../../src/serve.ts'
import { type Receiver, receiver as startReceiver } from '../control/receiver.ts'
import { complaintsOf } from './complaints.ts'

const KEY = '12ABC34501DE35'

let browser: Browser
let context: BrowserContext
let page: Page
let complaints: string[]
let sandbox: RunningSandbox
let payments: Payments

beforeAll(async () => {
  browser = await launch()
})
afterAll(() => browser?.close())

beforeEach(async () => {
  sandbox = await serve({ port: 0, allowLoopback: true, checksAnswers: true })
  payments = createPayments({ baseUrl: sandbox.url, auth: { clientKey: 'partner', clientSecret: 'secret' } })
  context = await browser.newContext()
  page = await context.newPage()
  page.setDefaultTimeout(5_000)
  complaints = complaintsOf(page, sandbox.url)
  await page.goto(sandbox.url)
  await page.getByText('Live', { exact: true }).waitFor()
})
afterEach(async () => {
  await context.close()
  await sandbox.close(0)
})

const section = (name: string) => page.getByRole('region', { name, exact: true })
const account = (name: string) => section('Accounts').getByRole('listitem').filter({ hasText: name })
const press = (name: string | RegExp) => page.getByRole('button', { name }).click()

async function pay(amount: string, description = ''): Promise<void> {
  const payee = await payments.keys.check('beltrana@example.com')
  await payee.pay({ amount, description }).result()
}

test('a transfer appears when it is made, settles, and moves the balance', async () => {
  await account('Loja Exemplo').getByText('R$ 100,000.00').waitFor()
  await pay('25.10', '<img src=x onerror=alert(1)>')
  const row = section('Transfers').getByRole('row').filter({ hasText: 'R$ 25.10' })
  await row.getByText('Loja Exemplo Ltda → Beltrana de Tal').waitFor()
  await row.getByText('settled').waitFor()
  await account('Loja Exemplo').getByText('R$ 99,974.90').waitFor()
  await page.getByRole('status').getByText('Transfer of R$ 25.10 to Beltrana de Tal: settled.').waitFor()
  expect(complaints).toEqual([])
})

test('a receiver that fails shows its attempts and the next, and takes what is sent again', async () => {
  const receiver = await startReceiver()
  receiver.answers(503)
  try {
    await hearAt(receiver)
    await press('Freeze')
    await page.getByRole('button', { name: 'Resume' }).waitFor()
    await pay('1.00')
    await press('Advance the clock +5 s')
    const hook = section('Webhooks').getByRole('listitem').filter({ hasText: receiver.url }).first()
    await hook.getByText('503 status').first().waitFor()
    await hook.getByText('Next attempt').waitFor()
    await press('Advance the clock +5 s')
    await hook.getByText('2 attempts').waitFor()
    receiver.answers(200)
    await press(/^Redeliver/)
    await hook.getByText('200 taken').waitFor()
    await hook.getByText('delivered', { exact: true }).waitFor()
    expect(await hook.getByText('Next attempt').count()).toBe(0)
  } finally {
    await receiver.close()
  }
  expect(complaints).toEqual([])
})

async function hearAt({ url }: Receiver): Promise<void> {
  const { secret } = await payments.webhooks.create({ type: 'all', url })
  await section('Webhooks').getByText(url).waitFor()
  expect(await page.content()).not.toContain(secret)
}

test('a QR code is drawn so that it reads as its text, and is paid from outside', async () => {
  const tx_id = 'PEDIDO1004PEDIDO1004PEDIDO1004'
  const charge = { dict_key: KEY, tx_id, amount: { original: '10.00' } }
  const { emv } = await payments.qrcodes.createImmediate(charge)
  const card = section('QR codes').getByRole('listitem').filter({ hasText: tx_id })
  await card.getByText('ATIVA').waitFor()
  expect(readQr(await card.getByRole('img').getAttribute('src'))).toBe(emv)
  expect(await card.getByText(emv).textContent()).toBe(emv)
  await press(`Pay from outside ${tx_id}`)
  await card.getByText('CONCLUIDA').waitFor()
  await account('Loja Exemplo').getByText('R$ 100,010.00').waitFor()
  expect(await card.getByRole('button').count()).toBe(1)
  expect(complaints).toEqual([])
})

function readQr(src: string | null): string | undefined {
  const { data, width, height } = PNG.sync.read(Buffer.from(src?.split(',')[1] ?? '', 'base64'))
  return jsqr.default(new Uint8ClampedArray(data), width, height)?.data
}

test('a deposit, and an amount that is none', async () => {
  const field = account('Padaria Exemplo').getByLabel('to deposit into')
  await field.fill('0.50')
  await press('Deposit into Padaria Exemplo')
  await account('Padaria Exemplo').getByText('R$ 100,000.50').waitFor()
  await field.fill('much')
  const refused = page.waitForResponse((response) => response.status() >= 400)
  await press('Deposit into Padaria Exemplo')
  await refused
  await page
    .getByRole('status')
    .getByText(/^Not done: /)
    .waitFor()
})

test('the first request works as it is copied, and shows up', async () => {
  await context.grantPermissions(['clipboard-read', 'clipboard-write'])
  await press('Copy the first request')
  await page.getByText('Copied.').waitFor()
  const command = await page.evaluate<string>('navigator.clipboard.readText()')
  const { stdout } = await promisify(execFile)('sh', ['-c', command])
  expect(JSON.parse(stdout)).toMatchObject({ owner_name: 'Beltrana de Tal' })
  await section('Requests').getByText('checkKey').waitFor()
  expect(complaints).toEqual([])
})

test('a request that breaks the contract shows what it broke, and on which ground', async () => {
  const authorization = `Bearer ${(await payments.auth.signIn()).access_token}`
  const headers = { authorization, 'content-type': 'application/json' }
  const body = JSON.stringify({ type: 'dict', amount: '10.5' })
  await fetch(`${sandbox.url}/mobile-bff/v1/pix/out/`, { method: 'POST', headers, body })
  const row = section('Requests').getByRole('row').filter({ hasText: 'finding' })
  await row.locator('summary').click()
  const { requests } = await shownState()
  const grounds = requests[0]?.findings.map(({ question }) => (question ? `our answer: ${question}` : 'fact'))
  expect(await row.locator('[data-basis]').allTextContents()).toEqual(grounds)
  expect(new Set(grounds)).toEqual(new Set(['fact', 'our answer: bounds']))
  expect(await page.content()).not.toContain(authorization.slice(7))
})

/** What the control answers is what the page takes it for, or this does not compile. */
async function shownState(): Promise<State> {
  const response = await fetch(`${sandbox.url}/_sandbox/state`)
  return (await response.json()) as Answered
}

test('what forces a rejection can be looked up', async () => {
  await page.getByText('Keys and amounts that force a rejection').click()
  await page.getByText('ac03@reject.example.com').waitFor()
  expect(await page.locator('#magic dd').count()).toBeGreaterThan(5)
})

test('a clock that was moved on says so, and is put back', async () => {
  await press('Advance the clock +1 day')
  await page.getByText(/^The clock is .+ ahead of the system's\./).waitFor()
  await press('Back to system time')
  await page.getByText('The clock is').waitFor({ state: 'detached' })
  expect(sandbox.clock.ahead).toBe(0)
  expect(complaints).toEqual([])
})

test('a reset leaves the seeded world, and the time of the system', async () => {
  await pay('1.00')
  await press('Advance the clock +1 h')
  await page.getByText(/^The clock is .+ ahead of the system's\./).waitFor()
  await account('Loja Exemplo').getByText('R$ 99,999.00').waitFor()
  page.once('dialog', (dialog) => dialog.accept())
  await press('Reset everything')
  await account('Loja Exemplo').getByText('R$ 100,000.00').waitFor()
  await section('Transfers').getByText('No transfer yet').waitFor()
  await page.getByText('The clock is').waitFor({ state: 'detached' })
  expect(complaints).toEqual([])
})
