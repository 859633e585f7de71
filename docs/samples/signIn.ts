import { createPayments } from '@partner-payments/client'

const { BASE_URL: baseUrl = 'http://127.0.0.1:4010' } = process.env
const { CLIENT_KEY: clientKey = '', CLIENT_SECRET: clientSecret = '' } = process.env
const payments = createPayments({ baseUrl, auth: { clientKey, clientSecret } })

// Seldom needed: the client signs in by itself.
const tokens = await payments.auth.signIn()
console.log(tokens.expiration)
