import { createPayments } from '@partner-payments/client'

const { env } = process
const payments = createPayments({
  baseUrl: env.BASE_URL ?? 'http://127.0.0.1:4010',
  auth: {
    clientKey: env.CLIENT_KEY ?? '',
    clientSecret: env.CLIENT_SECRET ?? '',
  },
})

const { users } = await payments.users.list()
console.log(users.map((user) => user.username))
