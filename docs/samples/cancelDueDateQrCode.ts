import { createPayments } from '@partner-payments/client'

const { env } = process
const payments = createPayments({
  baseUrl: env.BASE_URL ?? 'http://127.0.0.1:4010',
  auth: {
    clientKey: env.CLIENT_KEY ?? '',
    clientSecret: env.CLIENT_SECRET ?? '',
  },
})

const id = '6cc98439-360d-4452-b3c4-57b4d015a819'
const cancelled = await payments.qrcodes.cancelDueDate(id)
console.log(cancelled.status)
