import { createPayments } from '@partner-payments/client'

const { BASE_URL = 'http://127.0.0.1:4010', CLIENT_KEY = '', CLIENT_SECRET = '' } = process.env
const auth = { clientKey: CLIENT_KEY, clientSecret: CLIENT_SECRET }
const payments = createPayments({ baseUrl: BASE_URL, auth })

const webhook = await payments.webhooks.create({
  type: 'all',
  url: 'https://partner.example.com/pix/events',
})
// Store webhook.secret now, where you keep passwords.
console.log(webhook.id)
