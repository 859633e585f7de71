import { expect, test } from 'vitest'
import {
  account,
  complaints,
  expectAccessible,
  openPages,
  page,
  pay,
  press,
  section,
} from './open-page.ts'

openPages()

test('a transfer appears when it is created, settles, and changes the balance', async () => {
  await account('Loja Exemplo').getByText('R$ 100,000.00').waitFor()

  await pay('25.10', '<img src=x onerror=alert(1)>')
  const row = section('Transfers').getByRole('listitem').filter({ hasText: 'R$ 25.10' })
  await row.getByText('Loja Exemplo Ltda → Beltrana de Tal, at another institution').waitFor()
  await row.getByText('settled').waitFor()
  await account('Loja Exemplo').getByText('R$ 99,974.90').waitFor()
  await page
    .getByRole('status')
    .getByText('Transfer of R$ 25.10 to Beltrana de Tal: settled.')
    .waitFor()
  expect(complaints).toEqual([])
})

test('the first steps are open until there is a record, even if a request was sent', async () => {
  await page.evaluate("fetch('/mobile-bff/v1/partner/user')")
  await page.reload()
  await page.getByRole('button', { name: 'Receive webhooks here' }).waitFor({ timeout: 10_000 })
})

test('on the first visit, without a terminal, it pays, is paid, and shows the delivery with a verified signature', async () => {
  const shown = (type: string) =>
    section('Webhooks').getByRole('listitem').filter({ hasText: type }).last()

  await press('Register this sandbox as a receiver')
  await section('Webhooks').getByText('/_sandbox/receiver').waitFor()
  expect(await page.getByRole('button', { name: 'Receiving webhooks' }).isDisabled()).toBe(true)

  await press(/^Pay$/)
  await section('Transfers').getByText('settled').waitFor()
  await shown('transfer.settled').getByText('200, signature verified').click()
  await section('Webhooks').getByText('"signature": "verified"').waitFor()

  await press('Create and pay it')
  await shown('qrcode.paid').getByText('200, signature verified').waitFor()
  await account('Loja Exemplo').getByText('R$ 100,010.90').waitFor()

  await expectAccessible(1280, 'light')
  expect(complaints).toEqual([])
})
