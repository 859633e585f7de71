import { createPayments } from '@partner-payments/client'

const { env } = process
const payments = createPayments({
  baseUrl: env.BASE_URL ?? 'http://127.0.0.1:4010',
  auth: {
    clientKey: env.CLIENT_KEY ?? '',
    clientSecret: env.CLIENT_SECRET ?? '',
  },
})

const webhook_id = 'ea39a477-9f5e-4b25-9540-bcba72e862bb'
const webhook = await payments.webhooks.rotateSecret(webhook_id)
// Give the receiver webhook.secret now, beside the old one.
console.log(webhook.id)
