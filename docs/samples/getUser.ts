import { createPayments } from '@partner-payments/client'

const { env } = process
const payments = createPayments({
  baseUrl: env.BASE_URL ?? 'http://127.0.0.1:4010',
  auth: {
    clientKey: env.CLIENT_KEY ?? '',
    clientSecret: env.CLIENT_SECRET ?? '',
  },
})

const user_id = '25fd6010-0b86-417f-96a3-7c5e37646c16'
const { user, customers } = await payments.users.get(user_id)
console.log(user.username, customers.length)
