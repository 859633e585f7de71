import { afterAll, beforeAll, expect, test } from 'vitest'
import { createSandbox, type Sandbox } from '../src/index.ts'

let sandbox: Sandbox
beforeAll(async () => {
  sandbox = await createSandbox({ checksResponses: true })
})
afterAll(() => sandbox.close())

const base = 'http://127.0.0.1/mobile-bff/v1'

test('a field that the contract does not name is ignored at any depth, and shown nowhere', async () => {
  const authorization = await signIn()
  const extra = { colour: 'blue' }
  const body = {
    ...extra,
    dict_key: '12ABC34501DE35',
    tx_id: 'PEDIDO2001PEDIDO2001PEDIDO2001',
    amount: { ...extra, original: '10.00', fine: { ...extra, amount: '1.00', modality: '1' } },
    calendar: { ...extra, due_date: '2100-01-04' },
    payer: { ...extra, name: 'Fulano de Tal', ...Object.fromEntries(many()) },
    additional_infos: [{ ...extra, name: 'Pedido', value: '1' }],
  }
  const headers = { authorization, 'content-type': 'application/json' }
  const url = `${base}/pix/qrcode/dynamic/due-date`
  const response = await sandbox.service(
    new Request(url, { method: 'POST', headers, body: JSON.stringify(body) }),
  )
  const text = await response.text()
  expect(response.status, text).toBe(200)
  expect(text).not.toContain('colour')
  expect(text).not.toContain('extra_')
})

/** More fields than a validator reports by default. */
function many(): [string, number][] {
  return Array.from({ length: 300 }, (_, i) => [`extra_${i}`, i])
}

async function signIn(): Promise<string> {
  const headers = { authorization: `Basic ${btoa('partner:secret')}` }
  const response = await sandbox.service(
    new Request(`${base}/auth/partner/token/`, { method: 'POST', headers }),
  )
  return `Bearer ${((await response.json()) as { access_token: string }).access_token}`
}
