import { createPayments } from '@partner-payments/client'

const baseUrl = process.env.BASE_URL ?? 'http://127.0.0.1:4010'
const auth = { clientKey: 'partner', clientSecret: 'secret' }
const payments = createPayments({ baseUrl, auth })

const payee = await payments.keys.check('beltrana@example.com')
console.log('To:', payee.owner_name)
const transfer = await payee.pay({ amount: '25.00' })
console.log('Status:', transfer.status)
