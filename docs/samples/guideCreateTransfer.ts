import { createClient } from '@partner-payments/client'

const { BASE_URL: baseUrl = 'http://127.0.0.1:4010' } = process.env
const { CLIENT_KEY: clientKey = '', CLIENT_SECRET: clientSecret = '' } = process.env
const api = createClient({ baseUrl, auth: { clientKey, clientSecret } })

// Show owner.data.owner_name to the person who pays.
const dict_key = 'beltrana@example.com'
const owner = await api.POST('/pix/key', { body: { dict_key } })
if (owner.error) throw new Error(owner.error.title)

// If the payment may have been made, this rejects with
// an OutcomeUnknownError: do not send it again.
const { data, error } = await api.POST('/pix/out', {
  body: {
    type: 'dict',
    amount: '25.00',
    description: 'Almoço',
    initiation_id: owner.data.initiation_id,
    dict_key,
  },
})
if (error) throw new Error(error.title)
console.log(data.status)
