import { createClient } from '@partner-payments/client'

const { env } = process
const api = createClient({
  baseUrl: env.BASE_URL ?? 'http://127.0.0.1:4010',
  auth: {
    clientKey: env.CLIENT_KEY ?? '',
    clientSecret: env.CLIENT_SECRET ?? '',
  },
})

const { data, error } = await api.GET('/partners/webhooks')
if (error) throw new Error(error.title)
console.log(data.data.map((webhook) => webhook.url))
