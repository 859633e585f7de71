import { createPayments } from '@partner-payments/client'

const { env } = process
const payments = createPayments({
  baseUrl: env.BASE_URL ?? 'http://127.0.0.1:4010',
  auth: {
    clientKey: env.CLIENT_KEY ?? '',
    clientSecret: env.CLIENT_SECRET ?? '',
  },
})

const webhook = await payments.webhooks.create({
  type: 'all',
  url: 'https://partner.example.com/pix/events',
})
// Store webhook.secret now, where you keep passwords.
console.log(webhook.id)
