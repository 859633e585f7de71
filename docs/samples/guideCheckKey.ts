import { createClient } from '@partner-payments/client'

const { BASE_URL: baseUrl = 'http://127.0.0.1:4010' } = process.env
const { CLIENT_KEY: clientKey = '', CLIENT_SECRET: clientSecret = '' } = process.env
const api = createClient({ baseUrl, auth: { clientKey, clientSecret } })

const { data, error } = await api.POST('/pix/key', {
  body: { dict_key: 'beltrana@example.com' },
})
if (error) throw new Error(error.title)
console.log(data.owner_name)
