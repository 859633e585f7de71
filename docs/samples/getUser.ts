import { createPayments } from '@partner-payments/client'

const { BASE_URL: baseUrl = 'http://127.0.0.1:4010' } = process.env
const { CLIENT_KEY: clientKey = '', CLIENT_SECRET: clientSecret = '' } = process.env
const payments = createPayments({ baseUrl, auth: { clientKey, clientSecret } })

const user_id = '25fd6010-0b86-417f-96a3-7c5e37646c16'
const { user, customers } = await payments.users.get(user_id)
console.log(user.username, customers.length)
