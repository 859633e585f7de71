import { createPayments } from '@partner-payments/client'

const { env } = process
const payments = createPayments({
  baseUrl: env.BASE_URL ?? 'http://127.0.0.1:4010',
  auth: {
    clientKey: env.CLIENT_KEY ?? '',
    clientSecret: env.CLIENT_SECRET ?? '',
  },
})

const code = await payments.qrcodes.createStatic({
  amount: '35.90',
  dict_key: '+5561912345678',
  message: 'Pedido 1003',
})
console.log(code.emv)
