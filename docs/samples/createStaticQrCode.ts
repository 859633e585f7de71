import { createPayments } from '@partner-payments/client'

const { BASE_URL: baseUrl = 'http://127.0.0.1:4010' } = process.env
const { CLIENT_KEY: clientKey = '', CLIENT_SECRET: clientSecret = '' } = process.env
const payments = createPayments({ baseUrl, auth: { clientKey, clientSecret } })

const code = await payments.qrcodes.createStatic({
  amount: '35.90',
  dict_key: '+5561912345678',
  message: 'Pedido 1003',
})
console.log(code.emv)
