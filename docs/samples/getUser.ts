import { createPayments } from '@partner-payments/client'

const { BASE_URL = 'http://127.0.0.1:4010', CLIENT_KEY = '', CLIENT_SECRET = '' } = process.env
const auth = { clientKey: CLIENT_KEY, clientSecret: CLIENT_SECRET }
const payments = createPayments({ baseUrl: BASE_URL, auth })

const { user, customers } = await payments.users.get('25fd6010-0b86-417f-96a3-7c5e37646c16')
console.log(user.username, customers.length)
