import type { paths } from '@partner-payments/spec'
import createClient from 'openapi-fetch'

const { BASE_URL = 'http://127.0.0.1:4010', ACCESS_TOKEN } = process.env
const authorization = `Bearer ${ACCESS_TOKEN}`
const client = createClient<paths>({ baseUrl: BASE_URL, headers: { authorization } })

const { data, error, response } = await client.GET('/mobile-bff/v1/pix/qrcode/dynamic/immediate', {
  params: { query: { status: 'ATIVA', limit: '20' } },
})
// An error without a body leaves `error` undefined, so the status decides.
if (!response.ok) throw new Error(`The service answered ${response.status}`, { cause: error })
console.log(data)
