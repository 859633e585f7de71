import { createPayments } from '@partner-payments/client'

const { BASE_URL: baseUrl = 'http://127.0.0.1:4010' } = process.env
const { CLIENT_KEY: clientKey = '', CLIENT_SECRET: clientSecret = '' } = process.env
const payments = createPayments({ baseUrl, auth: { clientKey, clientSecret } })

const id = '6cc98439-360d-4452-b3c4-57b4d015a819'
const cancelled = await payments.qrcodes.cancelDueDate(id)
console.log(cancelled.status)
