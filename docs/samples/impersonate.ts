import { createPayments } from '@partner-payments/client'

const { BASE_URL = 'http://127.0.0.1:4010', CLIENT_KEY = '', CLIENT_SECRET = '' } = process.env
const auth = { clientKey: CLIENT_KEY, clientSecret: CLIENT_SECRET }
const payments = createPayments({ baseUrl: BASE_URL, auth })

// Seldom needed: payments.as({ customer_id, user_id }) asks for these tokens by itself.
const tokens = await payments.auth.impersonate({
  customer_id: '399e8188-1b06-4083-9229-9cdafae0c748',
  user_id: '25fd6010-0b86-417f-96a3-7c5e37646c16',
})
console.log(tokens.expiration)
