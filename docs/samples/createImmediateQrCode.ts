import type { paths } from '@partner-payments/spec'
import createClient from 'openapi-fetch'

const { BASE_URL = 'http://127.0.0.1:4010', ACCESS_TOKEN } = process.env
const authorization = `Bearer ${ACCESS_TOKEN}`
const client = createClient<paths>({ baseUrl: BASE_URL, headers: { authorization } })

const { data, error, response } = await client.POST('/mobile-bff/v1/pix/qrcode/dynamic/immediate', {
  body: {
    dict_key: '12ABC34501DE35',
    tx_id: 'PEDIDO1004PEDIDO1004PEDIDO1004',
    message: 'Pedido 1004',
    amount: { original: '35.90' },
    calendar: { expiration: 3600 },
    payer: { can_change_document: false, name: 'Fulano de Tal', tax_id: '12345678909' },
  },
})
// An error without a body leaves `error` undefined, so the status decides.
if (!response.ok) throw new Error(`The service answered ${response.status}`, { cause: error })
console.log(data)
