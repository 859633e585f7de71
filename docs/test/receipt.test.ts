import { readFile } from 'node:fs/promises'
import { createPayments, type TransferData } from '@partner-payments/client'
import { onTransferSettled } from '@partner-payments/client/fixtures'
import { valueAt } from '@partner-payments/contract'
import { createApp } from '@partner-payments/sandbox'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { receiptLines } from '../receivers/receipt.ts'

const guide = await readFile(new URL('../guides/receipts.md', import.meta.url), 'utf8')

let sandbox: Awaited<ReturnType<typeof createApp>>
/** What the event of a transfer in the sandbox shows. */
let settled: { readonly data: TransferData }
beforeAll(async () => {
  sandbox = await createApp()
  settled = await paySomebody()
})
afterAll(() => sandbox.close())

async function paySomebody() {
  const auth = { clientKey: 'partner', clientSecret: 'secret' }
  const fetch = async (url: string, init?: RequestInit) => sandbox.fetch(new Request(url, init))
  const payments = createPayments({ baseUrl: 'http://localhost', auth, fetch })
  const payee = await payments.keys.check('beltrana@example.com')
  await payee.pay({ amount: '25.00', description: 'Almoço' })
  await sandbox.worker.moveTo(sandbox.clock.now() + 1000)

  const response = await sandbox.fetch(new Request('http://localhost/_sandbox/events'))
  const { data } = (await response.json()) as { data: { type: string; body: typeof settled }[] }
  const event = data.find(({ type }) => type === 'transfer.settled')
  if (!event) throw new Error('the transfer has not settled')
  return event.body
}

test('a settled transfer of the sandbox has every field that the guide names', () => {
  const names = Array.from(
    guide.matchAll(/^\| [^|]+\| `(data\.[\w.]+)` /gm),
    ([, name = '']) => name,
  )
  expect(names).toHaveLength(11)
  for (const name of names)
    expect(valueAt(settled, `#/${name.replaceAll('.', '/')}`), name).toEqual(expect.any(String))
})

test('a receipt of that transfer has all of them, and no CPF that is whole', () => {
  expect(receiptLines(settled.data)).toEqual([
    'Amount: R$ 25.00',
    expect.stringMatching(/^Date and time: \w+ \d+, \d{4}, \d+:\d\d:\d\d [AP]M \(Brasília\)$/),
    'From: Loja Exemplo Ltda, 12ABC34501DE35, ISPB 99999010',
    'To: Beltrana de Tal, ***.444.777-**, ISPB 99999029',
    `End-to-end id: ${settled.data.end_to_end_id}`,
    'Message: Almoço',
  ])
})

test('the guide shows the receipt of the example of the event', () => {
  const lines = receiptLines(onTransferSettled.request.transferSettled.data)
  expect(guide).toContain(`\`\`\`text\n${lines.join('\n')}\n\`\`\``)
})
