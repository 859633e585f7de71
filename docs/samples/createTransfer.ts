import { createPayments } from '@partner-payments/client'

const { BASE_URL = 'http://127.0.0.1:4010', CLIENT_KEY = '', CLIENT_SECRET = '' } = process.env
const auth = { clientKey: CLIENT_KEY, clientSecret: CLIENT_SECRET }
const payments = createPayments({ baseUrl: BASE_URL, auth })

// The look-up gives what the transfer needs. Show payee.owner_name to the person who pays.
const payee = await payments.keys.check('beltrana@example.com')
// Rejects with an OutcomeUnknownError where it may have been paid: find out, never send it again.
const transfer = await payee.pay({ amount: '25.00', description: 'Almoço' })
console.log(transfer.status)
