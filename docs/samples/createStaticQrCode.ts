import { createPayments } from '@partner-payments/client'

const { BASE_URL = 'http://127.0.0.1:4010', CLIENT_KEY = '', CLIENT_SECRET = '' } = process.env
const auth = { clientKey: CLIENT_KEY, clientSecret: CLIENT_SECRET }
const payments = createPayments({ baseUrl: BASE_URL, auth })

const code = await payments.qrcodes.createStatic({
  amount: '35.90',
  dict_key: '+5561912345678',
  message: 'Pedido 1003',
})
console.log(code.emv)
