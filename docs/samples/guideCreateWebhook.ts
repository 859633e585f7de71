import { createClient } from '@partner-payments/client'

const { BASE_URL: baseUrl = 'http://127.0.0.1:4010' } = process.env
const { CLIENT_KEY: clientKey = '', CLIENT_SECRET: clientSecret = '' } = process.env
const api = createClient({ baseUrl, auth: { clientKey, clientSecret } })

const { data, error } = await api.POST('/partners/webhooks', {
  body: { url: 'https://partner.example.com/pix/events' },
})
if (error) throw new Error(error.title)
// Store data.secret now, where you keep passwords.
console.log(data.id)
