import { fileURLToPath } from 'node:url'
import { createPayments } from '@partner-payments/client'
import { impersonate } from '@partner-payments/client/fixtures'
import { Program } from '@partner-payments/programs'
import { type Page, seriousViolations, usePages, watchComplaints } from '@partner-payments/testing'
import { afterAll, beforeAll, expect, test } from 'vitest'

const START = fileURLToPath(new URL('../start.ts', import.meta.url))

let example: Program
let page: Page
let url: string
let sandbox: string
let complaints: string[]
let got: string[]

beforeAll(async () => {
  example = start('0')
  ;[, url = '', sandbox = ''] = await example.printed(/page +(\S+)\n +sandbox +(\S+)\n/)
})
afterAll(() => example.stop())
usePages(async (opened) => {
  got = []
  page = opened
  complaints = watchComplaints(page, url)
  await page.goto(url)
})

const card = (name: string) => page.getByRole('region', { name })
const press = (name: string, button: string) =>
  card(name).getByRole('button', { name: button }).click()
const type = (name: string, value: string) => card(name).getByRole('textbox').fill(value)
const outcome = (name: string, words: string) =>
  card(name).getByRole('status').getByText(words, { exact: true }).waitFor()

/** What the page says of a payment, by name. */
async function facts(within: Pick<Page, 'locator'> = page): Promise<Record<string, string>> {
  const [names, values] = await Promise.all(
    ['dt', 'dd'].map((tag) => within.locator(tag).allTextContents()),
  )
  const pairs = (names ?? []).map((name, index) => [name, values?.[index]?.replace('\u00a0', ' ')])
  return Object.fromEntries(pairs)
}

/** What the sandbox knows, which the page cannot make up. */
async function control<Result>(path: string, body?: object): Promise<Result> {
  const post = {
    method: 'POST',
    body: JSON.stringify(body),
    headers: { 'content-type': 'application/json' },
  }
  const response = await fetch(`${sandbox}/_sandbox${path}`, body ? post : {})
  return response.json() as Promise<Result>
}
const state = () => control<State>('/state')

interface State {
  readonly transfers: readonly { readonly status: string; readonly amount: string }[]
}

test('pays a key, and shows live that it is settled', async () => {
  const before = (await state()).transfers.length
  await type('Pay a key', ' Beltrana@Example.com ')
  await press('Pay a key', 'Check')
  await card('Pay a key').getByText('Beltrana de Tal').waitFor()
  await type('Pay a key', '25,5')
  await card('Pay a key').getByRole('button', { name: 'Pay' }).dblclick()
  await outcome('Pay a key', 'Paid')
  expect(await page.locator(':focus').textContent()).toBe('Pay a key')
  const { transfers } = await state()
  expect(transfers.length - before).toBe(1)
  expect(transfers[0]).toMatchObject({ amount: '25.50', status: 'settled' })
  await card('Pay a key').getByRole('link', { name: 'Receipt' }).click()
  await page.getByText(/^E99999010/).waitFor()
  expect(await facts()).toMatchObject({
    Amount: 'R$ 25.50',
    'Date and time': expect.stringContaining('(Brasília)'),
    From: 'Fulano de Tal',
    'From: CPF or CNPJ': '***.456.789-**',
    'From: institution': 'ISPB 99999010',
    To: 'Beltrana de Tal',
    'To: CPF or CNPJ': '***.444.777-**',
    'To: institution': 'ISPB 99999029',
  })
  expect(complaints).toEqual([])
})

test.each([
  { name: 'Pay a key', value: 'nobody', problem: 'This is not a Pix key.' },
  { name: 'Pay a key', value: 'nobody@example.com', problem: 'Nobody has this key.' },
  {
    name: 'Pay a code',
    value: '000201',
    problem: 'This is not a Pix code, or a part of it is missing.',
  },
  {
    name: 'Be paid by QR code',
    value: '0,00',
    problem: 'Type an amount above zero, such as 35.90.',
  },
])('$name: says what is wrong with "$value"', async ({ name, value, problem }) => {
  await type(name, value)
  await card(name).getByRole('button').click()
  await card(name).getByRole('alert').getByText(problem).waitFor()
})

test('is paid by QR code from elsewhere', async () => {
  await type('Be paid by QR code', '35.90')
  await press('Be paid by QR code', 'Create QR code')
  await outcome('Be paid by QR code', 'Waiting for payment')
  await page.context().grantPermissions(['clipboard-read', 'clipboard-write'])
  await press('Be paid by QR code', 'Copy')
  await card('Be paid by QR code').getByText('Copied').waitFor()
  const code = await card('Be paid by QR code').getByLabel('Pix code').inputValue()
  expect(await page.evaluate('navigator.clipboard.readText()')).toBe(code)
  const other = await page.context().newPage()
  await other.goto(sandbox)
  await other.getByRole('button', { name: 'Pay from outside' }).first().click()
  await outcome('Be paid by QR code', 'Received')
  await page.getByText('Received R$ 35.90').waitFor()
  expect(await facts(card('Be paid by QR code'))).toMatchObject({
    From: 'Beltrana de Tal',
    'CPF or CNPJ': '11144477735',
    'Amount paid': 'R$ 35.90',
    Paid: expect.stringContaining('(Brasília)'),
    'End-to-end id': expect.stringMatching(/^E99999029\d{12}\w{11}$/),
  })
  await other.close()
})

test('shows a payment to a static code that the page did not create', async () => {
  const { id } = await createStaticCode()
  await control(`/qrcodes/${id}/pay`, {})
  await card('Activity').getByText('Beltrana de Tal').first().waitFor()
  await page.getByText('Received R$ 48.00').waitFor()
})

/** Of our customer, for 12.10. */
async function createStaticCode() {
  const auth = { clientKey: 'partner', clientSecret: 'secret' }
  const partner = createPayments({ baseUrl: sandbox, auth })
  const customer = partner.as(impersonate.request.actForCustomer)
  return customer.qrcodes.createStatic({ dict_key: 'fulano@example.com', amount: '12.10' })
}

test('shows an unknown outcome, sends no second payment, and resolves it', async () => {
  await control('/clock', { freeze: true })
  const before = (await state()).transfers.length
  const other = await page.context().newPage()
  await other.goto(sandbox)
  await other.getByRole('button', { name: 'Next transfer: 500 after the work is done' }).click()
  await other.getByText('No fault rule is active.').waitFor({ state: 'detached' })

  await pay11()
  await outcome('Pay a key', 'Outcome unknown – we are finding out')
  await press('Pay a key', 'Start another')
  await pay11()
  await card('Pay a key').getByText('Not sent: another payment to the same key').waitFor()
  await page.reload()
  await card('Activity').getByText('Outcome unknown – we are finding out').waitFor()
  expect((await state()).transfers.length - before).toBe(1)

  // The transfer settles now, and its event arrives.
  await control('/clock', { advance_seconds: 1 })
  await card('Activity').getByText('Outcome unknown').waitFor({ state: 'detached' })
  const { transfers } = await state()
  expect(transfers.length - before).toBe(1)
  expect(transfers[0]).toMatchObject({ status: 'settled', amount: '11.00' })
  await card('Activity')
    .getByRole('listitem')
    .filter({ hasText: 'R$ 11.00' })
    .getByText('Paid')
    .waitFor()
  await control('/clock', { reset: true })
  await other.close()
})

async function pay11(): Promise<void> {
  await press('Pay a key', 'Check')
  await card('Pay a key').getByText('Beltrana de Tal').waitFor()
  await type('Pay a key', '11.00')
  await press('Pay a key', 'Pay')
}

test('pays a pasted code, whose amount is fixed, and gives the browser no secret, no token, and nothing from elsewhere', async () => {
  page.on('response', async (response) => {
    // The stream of events never ends.
    const isStream = response.url().endsWith('/api/live')
    const body = isStream ? '' : await response.text().catch(() => '')
    got.push(`${response.url()} ${JSON.stringify(await response.allHeaders())} ${body}`)
  })
  await page.reload()
  await press('Pay a code', 'Check')
  await card('Pay a code').getByText('Padaria Exemplo').waitFor()
  expect(await card('Pay a code').getByLabel('Amount').getAttribute('readonly')).not.toBeNull()
  await press('Pay a code', 'Pay')
  await outcome('Pay a code', 'Paid')
  expect((await state()).transfers[0]).toMatchObject({ amount: '10.50' })
  expect(got.length).toBeGreaterThan(4)
  const elsewhere = got.filter((response) => !response.startsWith(`${url}/`))
  expect(elsewhere).toEqual([])
  expect(got.join()).not.toMatch(/whsec_|client_?secret|access_token|initiation_id|Basic |Bearer /i)
})

test('axe finds nothing serious, and nothing is wider than the screen', async () => {
  await press('Pay a key', 'Check')
  await press('Pay a code', 'Check')
  await press('Be paid by QR code', 'Create QR code')
  await outcome('Be paid by QR code', 'Waiting for payment')
  await press('Pay a code', 'Pay')
  await outcome('Pay a code', 'Paid')
  await inspect()
  await card('Pay a code').getByRole('link', { name: 'Receipt' }).click()
  await page.getByText('End-to-end id').waitFor()
  await inspect()
})

async function inspect(): Promise<void> {
  for (const width of [1280, 390]) {
    for (const colorScheme of ['light', 'dark'] as const) {
      await page.setViewportSize({ width, height: 900 })
      await page.emulateMedia({ colorScheme })
      expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(width)
      expect(await seriousViolations(page)).toEqual([])
    }
  }
}

test('refuses a port that is in use', async () => {
  const { port } = new URL(url)
  const { code, stderr } = await start(port).ended
  expect([code, stderr]).toEqual([1, expect.stringContaining('EADDRINUSE')])
})

function start(port: string): Program {
  return new Program(process.execPath, [START, '--port', port])
}
