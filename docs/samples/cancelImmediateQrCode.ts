import { createPayments } from '@partner-payments/client'

const { BASE_URL: baseUrl = 'http://127.0.0.1:4010' } = process.env
const { CLIENT_KEY: clientKey = '', CLIENT_SECRET: clientSecret = '' } = process.env
const payments = createPayments({ baseUrl, auth: { clientKey, clientSecret } })

const id = '3c4ca66f-518b-41cd-9a44-194be1072428'
const cancelled = await payments.qrcodes.cancelImmediate(id)
console.log(cancelled.status)
