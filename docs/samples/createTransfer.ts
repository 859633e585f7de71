import { createPayments } from '@partner-payments/client'

const { env } = process
const payments = createPayments({
  baseUrl: env.BASE_URL ?? 'http://127.0.0.1:4010',
  auth: {
    clientKey: env.CLIENT_KEY ?? '',
    clientSecret: env.CLIENT_SECRET ?? '',
  },
})

// Show payee.owner_name to the person who pays.
const payee = await payments.keys.check('beltrana@example.com')

// Where it may have been paid, this rejects with
// an OutcomeUnknownError: never send it again.
const transfer = await payee.pay({
  amount: '25.00',
  description: 'Almoço',
})
console.log(transfer.status)
