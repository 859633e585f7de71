import { createClient } from '@partner-payments/client'

const { env } = process
const api = createClient({
  baseUrl: env.BASE_URL ?? 'http://127.0.0.1:4010',
  auth: {
    clientKey: env.CLIENT_KEY ?? '',
    clientSecret: env.CLIENT_SECRET ?? '',
  },
})

const { data, error } = await api.POST('/partners/webhooks', {
  body: { url: 'https://partner.example.com/pix/events' },
})
if (error) throw new Error(error.title)
// Store data.secret now, where you keep passwords.
console.log(data.id)
