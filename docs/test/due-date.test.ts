import { readFile } from 'node:fs/promises'
import { createPayments } from '@partner-payments/client'
import { createApp } from '@partner-payments/sandbox'
import { expect, onTestFinished, test } from 'vitest'

const guide = await readFile(new URL('../guides/qr-codes.md', import.meta.url), 'utf8')

/** A Tuesday, with business days around it. */
const DUE_DATE = '2026-12-15'
const DISCOUNT_DATE = '2026-12-10'
/** What each row of the guide's table is about. */
const DAYS: Readonly<Record<string, string>> = {
  'until the date of the discount': DISCOUNT_DATE,
  'until the due date': DUE_DATE,
  '2 days after it': '2026-12-17',
  '7 days after it': '2026-12-22',
}

test('the sandbox asks for the amounts of the guide, on each of its days', async () => {
  const rows = Array.from(guide.matchAll(/^\| ([^|]+) \| (\d+\.\d\d)\b/gm), ([, day, asked]) => [
    day,
    asked,
  ])
  expect(rows.map(([day]) => day)).toEqual(Object.keys(DAYS))

  let now = Date.parse('2026-12-01T12:00:00-03:00')
  const sandbox = await createApp({ now: () => now })
  onTestFinished(() => sandbox.close())
  const payments = createPayments({
    baseUrl: 'http://localhost',
    auth: { clientKey: 'partner', clientSecret: 'secret' },
    fetch: async (url: string, init?: RequestInit) => sandbox.fetch(new Request(url, init)),
  })
  const { emv } = await payments.qrcodes.createDueDate({
    dict_key: '12ABC34501DE35',
    tx_id: 'PEDIDO1002PEDIDO1002PEDIDO1002',
    // As in the sample of the guide.
    amount: {
      original: '100.00',
      discount: { modality: '1', fixedDateDiscount: [{ amount: '5.00', date: DISCOUNT_DATE }] },
      fine: { modality: '2', amount: '2.00' },
      interest: { modality: '3', amount: '1.00' },
    },
    calendar: { due_date: DUE_DATE, expiration_days: 30 },
    payer: { name: 'Fulano de Tal', tax_id: '12345678909' },
  })

  for (const [day = '', asked] of rows) {
    now = Date.parse(`${DAYS[day]}T12:00:00-03:00`)
    const check = await payments.codes.check(emv)
    expect(check.final_amount, day).toBe(asked)
  }
})
