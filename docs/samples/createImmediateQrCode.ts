import { createPayments } from '@partner-payments/client'

const { BASE_URL: baseUrl = 'http://127.0.0.1:4010' } = process.env
const { CLIENT_KEY: clientKey = '', CLIENT_SECRET: clientSecret = '' } = process.env
const payments = createPayments({ baseUrl, auth: { clientKey, clientSecret } })

const code = await payments.qrcodes.createImmediate({
  dict_key: '12ABC34501DE35',
  tx_id: 'PEDIDO1004PEDIDO1004PEDIDO1004',
  message: 'Pedido 1004',
  amount: { original: '35.90' },
  calendar: { expiration: 3600 },
  payer: { can_change_document: false, name: 'Fulano de Tal', tax_id: '12345678909' },
})
console.log(code.emv)
