import type { paths } from '@partner-payments/spec'
import createClient from 'openapi-fetch'

const { BASE_URL = 'http://127.0.0.1:4010', ACCESS_TOKEN } = process.env
const authorization = `Bearer ${ACCESS_TOKEN}`
const client = createClient<paths>({ baseUrl: BASE_URL, headers: { authorization } })

const { data, error, response } = await client.PATCH('/mobile-bff/v1/partner/webhook/{webhook_id}/secret', {
  params: { path: { webhook_id: 'ea39a477-9f5e-4b25-9540-bcba72e862bb' } },
})
// An error without a body leaves `error` undefined, so the status decides.
if (!response.ok) throw new Error(`The service answered ${response.status}`, { cause: error })
console.log(data)
