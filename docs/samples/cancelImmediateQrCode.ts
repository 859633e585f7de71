import { createPayments } from '@partner-payments/client'

const { env } = process
const payments = createPayments({
  baseUrl: env.BASE_URL ?? 'http://127.0.0.1:4010',
  auth: {
    clientKey: env.CLIENT_KEY ?? '',
    clientSecret: env.CLIENT_SECRET ?? '',
  },
})

const id = '3c4ca66f-518b-41cd-9a44-194be1072428'
const cancelled = await payments.qrcodes.cancelImmediate(id)
console.log(cancelled.status)
