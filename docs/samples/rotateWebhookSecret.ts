import { createPayments } from '@partner-payments/client'

const { BASE_URL: baseUrl = 'http://127.0.0.1:4010' } = process.env
const { CLIENT_KEY: clientKey = '', CLIENT_SECRET: clientSecret = '' } = process.env
const payments = createPayments({ baseUrl, auth: { clientKey, clientSecret } })

const webhook_id = 'ea39a477-9f5e-4b25-9540-bcba72e862bb'
const webhook = await payments.webhooks.rotateSecret(webhook_id)
// Give the receiver webhook.secret now, beside the old one.
console.log(webhook.id)
