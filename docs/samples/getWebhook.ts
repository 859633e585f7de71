import { createPayments } from '@partner-payments/client'

const { BASE_URL = 'http://127.0.0.1:4010', CLIENT_KEY = '', CLIENT_SECRET = '' } = process.env
const auth = { clientKey: CLIENT_KEY, clientSecret: CLIENT_SECRET }
const payments = createPayments({ baseUrl: BASE_URL, auth })

const webhook = await payments.webhooks.get('ea39a477-9f5e-4b25-9540-bcba72e862bb')
console.log(webhook.url, webhook.status)
