import { createPayments } from '@partner-payments/client'

const { BASE_URL: baseUrl = 'http://127.0.0.1:4010' } = process.env
const { CLIENT_KEY: clientKey = '', CLIENT_SECRET: clientSecret = '' } = process.env
const payments = createPayments({ baseUrl, auth: { clientKey, clientSecret } })

// Seldom needed: payments.as(…) does it by itself.
const tokens = await payments.auth.impersonate({
  customer_id: '399e8188-1b06-4083-9229-9cdafae0c748',
  user_id: '25fd6010-0b86-417f-96a3-7c5e37646c16',
})
console.log(tokens.expiration)
