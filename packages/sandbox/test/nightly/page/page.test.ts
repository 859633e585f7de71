import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import { expect, test } from 'vitest'
import { createAsker, issueToken } from '../../callers.ts'
import {
  account,
  complaints,
  openPages,
  page,
  pay,
  press,
  sandbox,
  section,
} from '../../page/open-page.ts'

openPages()

test('a failing receiver shows its attempts with what was sent, the next one, and gets a redelivery', async () => {
  const { shop } = sandbox
  shop.respondWith(503)
  const { secret } = await sandbox.partner.webhooks.create({ type: 'all', url: shop.url })
  await section('Webhooks').getByText(shop.url).waitFor()
  expect(await page.content()).not.toContain(secret)

  await press('Freeze')
  await page.getByRole('button', { name: 'Resume' }).waitFor()
  await pay('1.00')
  await press('Advance the clock +5 s')

  const hook = section('Webhooks').getByRole('listitem').filter({ hasText: shop.url }).first()
  await hook.getByText('503 status').first().waitFor()
  await hook.getByText('Next attempt').waitFor()

  const attempt = hook.getByRole('listitem').filter({ hasText: '503 status' }).last()
  await attempt.locator('summary').click()
  await attempt.getByText(`POST ${shop.url}`).waitFor()
  await attempt.getByText('webhook-signature: v1,').waitFor()
  const delivery = shop.got[0]
  const signedContent = `${delivery?.id}.${delivery?.timestamp}.${delivery?.body}`
  await attempt.getByText(signedContent, { exact: true }).waitFor()
  await attempt.getByText('connection: close').waitFor()

  await press('Advance the clock +5 s')
  await hook.getByText('503 status').nth(1).waitFor()

  shop.respondWith(200)
  await press(/^Send again/)
  await hook.getByText('200 taken').waitFor()
  await hook.getByText('delivered', { exact: true }).waitFor()
  expect(await hook.getByText('Next attempt').count()).toBe(0)
  expect(complaints).toEqual([])
})

test('a QR code shows its image and its code, and is paid from outside', async () => {
  const tx_id = 'PEDIDO1004PEDIDO1004PEDIDO1004'
  const charge = { dict_key: '12ABC34501DE35', tx_id, amount: { original: '10.00' } }
  const { emv, qrcode_image } = await sandbox.partner.qrcodes.createImmediate(charge)

  const card = section('QR codes').getByRole('listitem').filter({ hasText: tx_id })
  await card.getByText('ATIVA').waitFor()
  expect(await card.getByRole('img').getAttribute('src')).toContain(qrcode_image)
  expect(await card.getByText(emv).textContent()).toBe(emv)

  await press(`Pay from outside ${tx_id}`)
  await card.getByText('CONCLUIDA').waitFor()
  await card.getByText('Paid R$ 10.00 by Beltrana de Tal').waitFor()
  await section('Transfers').getByText('Beltrana de Tal, at another institution → Loja').waitFor()
  await account('Loja Exemplo').getByText('R$ 100,010.00').waitFor()
  expect(await card.getByRole('button').count()).toBe(1)
  expect(complaints).toEqual([])
})

test('a static code is paid from outside twice, and a key is added and paid', async () => {
  const code = { dict_key: '12ABC34501DE35', amount: '5.00' }
  const { tx_id } = await sandbox.partner.qrcodes.createStatic(code)
  await press(`Pay from outside ${tx_id}`)
  await account('Loja Exemplo').getByText('R$ 100,005.00').waitFor()
  await press(`Pay from outside ${tx_id}`)
  await account('Loja Exemplo').getByText('R$ 100,010.00').waitFor()

  await press(/^Add$/)
  await page.getByText('The directory has pix@clinica.example.').waitFor()
  const payee = await sandbox.partner.keys.check('pix@clinica.example')
  expect(payee.owner_name).toBe('Clínica Exemplo Ltda')
  expect(complaints).toEqual([])
})

test('the first request works when copied, and appears', async () => {
  await page.context().grantPermissions(['clipboard-read', 'clipboard-write'])
  await press('Copy the first request')
  await page.getByText('Copied.').waitFor()
  const command = await page.evaluate<string>('navigator.clipboard.readText()')
  expect(await runCurl(command)).toMatchObject({ owner_name: 'Beltrana de Tal' })

  await section('Requests').locator('.list').getByText('checkKey').waitFor()
  expect(complaints).toEqual([])
})

test('an invalid request shows its findings, and whether each is a fact or an assumption', async () => {
  const authorization = await issueToken(sandbox)
  const ask = createAsker(sandbox.service, authorization)
  await ask('POST', '/pix/out/', { body: { type: 'dict', amount: '10.5' } })

  const row = await openRequest('finding')
  const { requests } = await sandbox.state()
  const grounds = requests[0]?.findings.map(({ question }) =>
    question ? `open question: ${question}` : 'fact',
  )
  expect(await row.locator('.findings [data-basis]').allTextContents()).toEqual(grounds)
  expect(new Set(grounds)).toEqual(new Set(['fact', 'open question: bounds']))
  expect(await page.content()).not.toContain(authorization.slice(7))
})

test('a refused request shows why after one click, and a curl that repeats it', async () => {
  const { access_token } = await sandbox.partner.auth.signIn()
  await sandbox.partner.keys.check('nobody@example.com').result()

  const row = await openRequest('not_found')
  const refusal = row.locator('.refusal')
  await refusal.getByText('The record does not exist, or it belongs to another partner').waitFor()
  await refusal.getByText('Check the identifier, and that the token acts for the owner.').waitFor()
  await refusal.getByText('open question: errors').waitFor()

  await row.getByText('"dict_key": "nobody@example.com"').waitFor()
  await row.getByText('authorization: Bearer ••••••').waitFor()

  const command = await row.locator('[id^=curl-]').textContent()
  const repeated = await runCurl(command, { ACCESS_TOKEN: access_token })
  expect(repeated).toMatchObject({ code: 'not_found' })
})

test('the curl of a request repeats its query, and has placeholders for what is masked in its body', async () => {
  const { access_token } = await sandbox.partner.auth.signIn()
  await fetch(`${sandbox.url}/mobile-bff/v1/partner/user?tag=[1-3]&tag={a,b}`)
  const listRow = await openRequest('listUsers')
  const repeated = await listRow.locator('[id^=curl-]').textContent()
  expect(await runCurl(repeated)).toMatchObject({ code: 'invalid_token' })
  expect(repeated).toContain('?tag=[1-3]&tag={a,b}')

  await pay('1.00', "it's @home")
  const transferRow = await openRequest('createTransfer')
  const command = await transferRow.locator('[id^=curl-]').textContent()
  const variables = { ACCESS_TOKEN: access_token, INITIATION_ID: 'ini_unknown' }
  expect(command).toContain(`"initiation_id":"'"$INITIATION_ID"'"`)
  expect(await runCurl(command, variables)).toMatchObject({ code: 'initiation_invalid' })
  expect(command).not.toContain(access_token)
})

/** Shows the details of the last request with this text. */
async function openRequest(hasText: string) {
  const row = section('Requests').getByRole('listitem').filter({ hasText }).first()
  await row.locator('summary').click()
  return row
}

async function runCurl(
  command: string | null,
  variables: Readonly<Record<string, string>> = {},
): Promise<unknown> {
  const env = { ...process.env, ...variables }
  const { stdout } = await promisify(execFile)('sh', ['-c', `${command}`], { env })
  return JSON.parse(stdout)
}

test('requests are filtered by method, status and operation, and searched', async () => {
  await pay('1.00')
  await sandbox.partner.keys.check('nobody@example.com').result()
  await sandbox.partner.users.list()
  const rows = section('Requests').locator('.list > li')
  const operations = () => rows.locator('b').allTextContents()
  await expect
    .poll(operations)
    .toEqual(['listUsers', 'checkKey', 'createTransfer', 'checkKey', 'signIn'])

  await page.getByLabel('Status', { exact: true }).selectOption('4xx')
  await expect.poll(operations).toEqual(['checkKey'])

  await page.getByLabel('Status', { exact: true }).selectOption('Any status')
  await page.getByLabel('Method').selectOption('GET')
  await expect.poll(operations).toEqual(['listUsers'])

  await page.getByLabel('Method').selectOption('Any method')
  await page.getByLabel('Operation').selectOption('createTransfer')
  await expect.poll(operations).toEqual(['createTransfer'])

  await page.getByLabel('Operation').selectOption('Any operation')
  await page.getByLabel('Search requests').fill('NOT_found')
  await expect.poll(operations).toEqual(['checkKey'])

  await page.getByLabel('Search requests').fill('nothing like it')
  await section('Requests').getByText('None of the 5 requests matches.').waitFor()
})

test('a preset becomes a rule that is used once, ends, or is removed', async () => {
  const rules = section('Faults').getByRole('listitem')
  await press('Next transfer is rejected')
  await rules.getByText('createTransfer: the transfer is rejected · next 1 request').waitFor()
  await pay('1.00')
  await section('Transfers').getByText('DS04').waitFor()
  await section('Faults').getByText('No fault rule is active.').waitFor()

  await press('Next transfer: 500 after the work is done')
  await rules.getByText('createTransfer: 500 after the work is done · next 1 request').waitFor()
  expect(await pay('2.00')).toMatchObject({ ok: false, kind: 'outcome_unknown' })

  await section('Transfers').getByText('R$ 2.00').waitFor()

  await press('Slow by 3 s for a minute')
  await rules.getByText(/^every operation: slow by 3 s · ends in/).waitFor()
  await press(/^Remove the rule every operation: slow by 3 s/)
  await section('Faults').getByText('No fault rule is active.').waitFor()

  await press('Deliveries fail for a minute')
  await press('Receive webhooks here')
  await pay('3.00')
  await section('Webhooks').getByText('fault').first().waitFor()
  await press('Advance the clock +1 h')
  await section('Webhooks').getByText('200, signature verified').waitFor()
  await section('Faults').getByText('No fault rule is active.').waitFor()
})

test('a clock that is off shows by how much, the effect on webhooks, and a button back to the system time', async () => {
  await press('Advance the clock +1 h')
  await page.getByText("The clock is 1 h ahead of the system's.").waitFor()
  await page
    .getByText('Receivers that verify signatures refuse every webhook: timestamp-too-new.')
    .waitFor()

  await press('Back to system time')
  await page.getByRole('status').getByText('The clock shows the system time.').waitFor()
  await page.getByText('The clock is').waitFor({ state: 'detached' })
  expect(await page.locator('#skew').isVisible()).toBe(false)
})

test('works from the keyboard, and shows where the focus is', async () => {
  await page.getByRole('link', { name: 'QR codes' }).focus()
  await page.keyboard.press('Tab')
  const outline = `document.activeElement.computedStyleMap().get('outline-style').toString()`
  expect(await page.evaluate(outline)).toBe('solid')

  await page.keyboard.press('Enter')
  await page.getByRole('status').getByText('The clock stands still.').waitFor()

  await page.getByLabel('to deposit into Loja Exemplo').press('Enter')
  await page.getByRole('status').getByText('Deposited R$ 100.00.').waitFor()
  await account('Loja Exemplo').getByText('R$ 100,100.00').waitFor()
})

test('it opens at the section that its address names, once its records are drawn', async () => {
  await page.setViewportSize({ width: 390, height: 900 })
  await page.goto('about:blank')
  await page.goto(`${sandbox.url}/#webhooks`)
  await section('QR codes').getByText('ATIVA').first().waitFor()
  await expect.poll(async () => (await section('Webhooks').boundingBox())?.y).toBeLessThan(200)
})

test('a reset restores the seed data and the system time, and the page pays again with a new token', async () => {
  await press(/^Pay$/)
  await press('Advance the clock +1 h')
  await page.getByText(/^The clock is .+ ahead of the system's\./).waitFor()
  await section('Transfers').getByText('settled').waitFor()

  page.once('dialog', (dialog) => dialog.accept())
  await press('Reset everything')
  await account('Loja Exemplo').getByText('R$ 100,000.00').waitFor()
  await section('Transfers').getByText('No transfer yet').waitFor()
  await page.getByText('The clock is').waitFor({ state: 'detached' })

  await press(/^Pay$/)
  await section('Transfers').getByText('settled').waitFor()
  // The token of before the reset.
  const others = complaints.filter((complaint) => !complaint.includes('401'))
  expect(others).toEqual([])
})
