import type { paths } from '@partner-payments/spec'
import createClient from 'openapi-fetch'

const { BASE_URL = 'http://127.0.0.1:4010', CLIENT_KEY, CLIENT_SECRET } = process.env
const authorization = `Basic ${btoa(`${CLIENT_KEY}:${CLIENT_SECRET}`)}`
const client = createClient<paths>({ baseUrl: BASE_URL, headers: { authorization } })

const { data, error, response } = await client.POST('/mobile-bff/v1/auth/partner/token/')
// An error without a body leaves `error` undefined, so the status decides.
if (!response.ok) throw new Error(`The service answered ${response.status}`, { cause: error })
console.log(data)
