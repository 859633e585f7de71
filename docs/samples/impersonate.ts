import type { paths } from '@partner-payments/spec'
import createClient from 'openapi-fetch'

const { BASE_URL = 'http://127.0.0.1:4010', ACCESS_TOKEN } = process.env
const authorization = `Bearer ${ACCESS_TOKEN}`
const client = createClient<paths>({ baseUrl: BASE_URL, headers: { authorization } })

const { data, error, response } = await client.POST('/mobile-bff/v1/auth/partner/impersonate/', {
  body: {
    customer_id: '399e8188-1b06-4083-9229-9cdafae0c748',
    user_id: '25fd6010-0b86-417f-96a3-7c5e37646c16',
  },
})
// An error without a body leaves `error` undefined, so the status decides.
if (!response.ok) throw new Error(`The service answered ${response.status}`, { cause: error })
console.log(data)
