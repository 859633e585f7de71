import { createPayments } from '@partner-payments/client'

const { env } = process
const payments = createPayments({
  baseUrl: env.BASE_URL ?? 'http://127.0.0.1:4010',
  auth: {
    clientKey: env.CLIENT_KEY ?? '',
    clientSecret: env.CLIENT_SECRET ?? '',
  },
})

const payee = await payments.keys.check('beltrana@example.com')
console.log(payee.owner_name)
