import { createPayments } from '@partner-payments/client'

const { BASE_URL: baseUrl = 'http://127.0.0.1:4010' } = process.env
const { CLIENT_KEY: clientKey = '', CLIENT_SECRET: clientSecret = '' } = process.env
const payments = createPayments({ baseUrl, auth: { clientKey, clientSecret } })

// Show payee.owner_name to the person who pays.
const payee = await payments.keys.check('beltrana@example.com')

// If the payment may have been made, this rejects with
// an OutcomeUnknownError: do not send it again.
const transfer = await payee.pay({
  amount: '25.00',
  description: 'Almoço',
})
console.log(transfer.status)
