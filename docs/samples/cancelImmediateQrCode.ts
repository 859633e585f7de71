import { createPayments } from '@partner-payments/client'

const { BASE_URL = 'http://127.0.0.1:4010', CLIENT_KEY = '', CLIENT_SECRET = '' } = process.env
const auth = { clientKey: CLIENT_KEY, clientSecret: CLIENT_SECRET }
const payments = createPayments({ baseUrl: BASE_URL, auth })

const cancelled = await payments.qrcodes.cancelImmediate('3c4ca66f-518b-41cd-9a44-194be1072428')
console.log(cancelled.status)
