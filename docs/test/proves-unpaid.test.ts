import { createPayments, HttpError } from '@partner-payments/client'
import { expect, test } from 'vitest'
import { inline, operationsOf } from '../build/contract.ts'
import { operationPage } from '../build/operation-pages.ts'
import { behaviour, contract } from './site.ts'

const inlined = inline(contract)
const transfer = operationsOf(inlined, behaviour).find(({ id }) => id === 'createTransfer')
if (!transfer) throw new Error('the contract has no createTransfer')

const page = operationPage(transfer, inlined, behaviour)
const rows = Array.from(
  page.matchAll(/^\| (\d{3}) \| \{\{error:(\w+)\}\} \|.* \| (yes|no) \|$/gm),
  ([, status, code = '', proves]) => ({ status: Number(status), code, proves }),
)

test('the page of a transfer says of each error whether it proves that nothing was paid', () => {
  expect(rows.length).toBeGreaterThan(15)
  expect(page.match(/^\| \d{3} \| /gm)).toHaveLength(rows.length)
})

test.each(rows)('the client reads $status $code so: $proves', async ({ status, code, proves }) => {
  const payments = createPayments({
    baseUrl: 'http://localhost',
    auth: { token: async () => 'token' },
    retries: 0,
    fetch: async () => refusal(status, code),
  })
  const paid = await payments.transfers
    .create({ type: 'dict', dict_key: 'beltrana@example.com', initiation_id: 'x', amount: '1.00' })
    .result()

  const error = paid.ok ? undefined : paid.error
  const provesUnpaid = error instanceof HttpError && error.provesUnpaid
  expect(provesUnpaid ? 'yes' : 'no').toBe(proves)
})

function refusal(status: number, code: string): Response {
  const headers = { 'content-type': 'application/problem+json' }
  return Response.json({ type: 'about:blank', title: code, status, code }, { status, headers })
}
