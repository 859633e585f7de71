import { createPayments } from '@partner-payments/client'

const { BASE_URL = 'http://127.0.0.1:4010', CLIENT_KEY = '', CLIENT_SECRET = '' } = process.env
const auth = { clientKey: CLIENT_KEY, clientSecret: CLIENT_SECRET }
const payments = createPayments({ baseUrl: BASE_URL, auth })

const cancelled = await payments.qrcodes.cancelDueDate('6cc98439-360d-4452-b3c4-57b4d015a819')
console.log(cancelled.status)
