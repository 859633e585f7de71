import { type Browser, type BrowserContext, launch, type Page, type Route } from '@partner-payments/chromium'
import { checkCode, createTransfer, listDueDateQrCodes, signIn } from '@partner-payments/client/fixtures'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { type Example, secrets, startExample } from './example.ts'

let example: Example
let browser: Browser
let context: BrowserContext
let page: Page
let complaints: string[]
/** Everything the browser got: addresses, headers and bodies. */
let got: Promise<string>[]

beforeAll(async () => {
  ;[example, browser] = await Promise.all([startExample(), launch()])
})
afterAll(async () => {
  await browser?.close()
  await example?.close()
})

beforeEach(async () => {
  example.called.length = 0
  complaints = []
  got = []
  context = await browser.newContext()
  page = await context.newPage()
  page.setDefaultTimeout(15_000)
  page.on('console', (message) => message.type() === 'error' && complaints.push(message.text()))
  page.on('pageerror', (error) => complaints.push(String(error)))
  page.on('response', (response) => {
    got.push(
      // The page may close before the whole response is there.
      Promise.all([response.allHeaders().catch(() => ({})), response.text().catch(() => '')]).then(
        ([headers, body]) => `${response.url()} ${JSON.stringify(headers)} ${body}`,
      ),
    )
  })
  await page.goto(example.url)
})
afterEach(() => context.close())

async function check(emv: string): Promise<void> {
  await page.getByLabel('Paste the text').fill(emv)
  await page.getByRole('button', { name: 'Check' }).click()
}

const transfers = () => example.called.filter((id) => id === 'createTransfer').length

/** Answers what the page asks of the service in the place of the mock; with `next`, where it asks by a cursor. */
function answer(path: string, status: number, body: object, next = body): Promise<unknown> {
  return page.route(`**${path}*`, (route: Route) => {
    if (route.request().method() === 'OPTIONS') return route.fallback()
    const headers = { 'access-control-allow-origin': '*' }
    const isNext = new URL(route.request().url()).searchParams.has('cursor')
    return route.fulfill({ status, headers, json: isNext ? next : body })
  })
}

test('checks a code, shows whom it pays and how much, and pays it', async () => {
  await check(checkCode.request.static.emv)
  await page.getByRole('heading', { name: 'Padaria Exemplo' }).waitFor()
  expect(await page.getByRole('definition').allTextContents()).toEqual([
    'Padaria Exemplo Ltda',
    '11222333000181',
    'R$10.50',
  ])
  expect(transfers()).toBe(0)
  await page.getByRole('button', { name: 'Pay R$10.50' }).click()
  await page.getByText('On its way').waitFor()
  expect(await page.getByRole('button', { name: 'Pay' }).count()).toBe(0)
  expect(transfers()).toBe(1)
  expect(complaints).toEqual([])
})

test('shows what a code takes off and adds', async () => {
  await check(checkCode.request.dueDate.emv)
  await page.getByText('To pay').waitFor()
  expect(await page.getByRole('definition').allTextContents()).toEqual(
    expect.arrayContaining(['R$100.00', '−R$5.00', 'R$95.00']),
  )
})

describe('two clicks', () => {
  test('in one task are one payment, whose outcome alone is shown', async () => {
    const { promise: held, resolve: release } = Promise.withResolvers<void>()
    await page.route('**/pix/out/', (route) => held.then(() => route.fallback()))
    await check(checkCode.request.static.emv)
    await page.getByRole('button', { name: 'Pay' }).evaluate((button) => {
      const { click } = button as unknown as { click(): void }
      click.call(button)
      click.call(button)
    })
    await page.getByRole('button', { name: 'Paying…' }).waitFor()
    expect(await page.locator('.bad, .unsure').count()).toBe(0)
    release()
    await page.getByText('On its way').waitFor()
    expect(transfers()).toBe(1)
  })

  test('of a finger are one payment, whose outcome is shown', async () => {
    await check(checkCode.request.static.emv)
    await page.getByRole('button', { name: 'Pay' }).dblclick()
    await page.getByText('On its way').waitFor()
    expect(transfers()).toBe(1)
  })
})

test('says not to pay again where the outcome is unknown, and offers no button', async () => {
  await answer('/pix/out/', 503, createTransfer.response[503].unavailable)
  await check(checkCode.request.static.emv)
  await page.getByRole('button', { name: 'Pay' }).click()
  await page.locator('[aria-live]').getByText('Do not pay again').waitFor()
  expect(await page.getByRole('button', { name: 'Pay' }).count()).toBe(0)
})

test('goes on warning, and does not take the code again, while the outcome is unknown', async () => {
  await answer('/pix/out/', 503, createTransfer.response[503].unavailable)
  await check(checkCode.request.static.emv)
  await page.getByRole('button', { name: 'Pay' }).click()
  await page.getByRole('button', { name: 'Another code' }).click()
  expect(await page.getByText('Do not pay again').count()).toBe(1)
  await check(checkCode.request.static.emv)
  await page.locator('[aria-live]').getByText('may have been paid already').waitFor()
  expect(await page.getByRole('button', { name: 'Pay' }).count()).toBe(0)
})

test('says the outcome where a screen reader listens already, and takes the focus there', async () => {
  await check(checkCode.request.static.emv)
  await page.getByRole('heading', { name: 'Padaria Exemplo' }).waitFor()
  expect(await page.locator('form [aria-live]').count()).toBe(1)
  await page.getByRole('button', { name: 'Pay' }).click()
  await page.getByText('On its way').waitFor()
  expect(await page.locator('[aria-live]:focus').textContent()).toContain('On its way')
})

test('says so where its back end fails', async () => {
  await page.route('**/config', (route) => route.fulfill({ status: 500 }))
  await page.reload()
  await page.getByText('The back end does not answer').waitFor()
})

test('lets a payment that was refused be tried again', async () => {
  await answer('/pix/out/', 422, createTransfer.response[422].insufficientFunds)
  await check(checkCode.request.static.emv)
  await page.getByRole('button', { name: 'Pay' }).click()
  await page.locator('[aria-live]').getByText('not enough money').waitFor()
  await page.unroute('**/pix/out/*')
  await page.getByRole('button', { name: 'Pay' }).click()
  await page.getByText('On its way').waitFor()
})

describe('the amount', () => {
  test('is fixed unless the code leaves it open', async () => {
    await check(checkCode.request.static.emv)
    await page.getByRole('button', { name: 'Pay' }).waitFor()
    expect(await page.getByLabel('Amount').count()).toBe(0)
  })

  test('is asked for where it is open, and sent with two decimals', async () => {
    const open = { ...checkCode.response[200].static, allow_value_change: true, final_amount: '0' }
    await answer('/pix/brcode/emv/', 200, open)
    await check(checkCode.request.static.emv)
    for (const wrong of ['', '0,00', '1.000', 'ten']) {
      await page.getByLabel('Amount').fill(wrong)
      await page.getByRole('button', { name: 'Pay' }).click()
    }
    await page.getByLabel('Amount').fill('12,5')
    const sent = page.waitForRequest('**/pix/out/')
    await page.getByRole('button', { name: 'Pay' }).click()
    expect((await sent).postDataJSON()).toMatchObject({ type: 'emv', amount: '12.50' })
    await page.getByText('On its way').waitFor()
    expect(transfers()).toBe(1)
  })
})

test('says why a code cannot be paid', async () => {
  await answer('/pix/brcode/emv/', 422, checkCode.response[422].codeExpired)
  await check(checkCode.request.static.emv)
  await page.locator('[aria-live]').getByText('can no longer be paid').waitFor()
})

test('lists QR codes, and more of them', async () => {
  const list = listDueDateQrCodes.response[200].dueDateQrCodes
  const [first] = list.data
  if (!first) throw new Error('the example has a record')
  const second = { data: [{ ...first, id: crypto.randomUUID(), tx_id: 'PEDIDO1003' }], next_cursor: null }
  await answer('/qrcode/dynamic/due-date', 200, { ...list, next_cursor: 'two' }, second)
  await page.reload()
  await page.getByRole('button', { name: 'More' }).click()
  await page.getByText('PEDIDO1003').waitFor()
  expect(await page.getByRole('listitem').count()).toBe(2)
  expect(await page.getByRole('button', { name: 'More' }).count()).toBe(0)
})

test('the browser gets no secret, and no token but that of the customer', async () => {
  await check(checkCode.request.static.emv)
  await page.getByRole('button', { name: 'Pay' }).click()
  await page.getByText('On its way').waitFor()
  const all = (await Promise.all(got)).join('\n')
  expect(all).toMatch(/\/token .*"Zpm_VBl6y1ZJWx/)
  expect(example.called).toContain('impersonate')
  const { clientKey, clientSecret, webhookSecret } = secrets
  const { access_token, refresh_token } = signIn.response[200].partner
  const basic = btoa(`${clientKey}:${clientSecret}`)
  for (const secret of [clientKey, clientSecret, basic, webhookSecret, access_token, refresh_token]) {
    expect(all).not.toContain(secret)
  }
})

test.each([320, 1280])('is not wider than a screen of %i pixels', async (width) => {
  await page.setViewportSize({ width, height: 800 })
  await check(checkCode.request.dueDate.emv)
  await page.getByText('To pay').waitFor()
  expect(await page.evaluate('document.documentElement.scrollWidth')).toBeLessThanOrEqual(width)
})
