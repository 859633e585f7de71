import type { paths } from '@partner-payments/spec'
import createClient from 'openapi-fetch'

const { BASE_URL = 'http://127.0.0.1:4010', ACCESS_TOKEN } = process.env
const authorization = `Bearer ${ACCESS_TOKEN}`
const client = createClient<paths>({ baseUrl: BASE_URL, headers: { authorization } })

const { data, error, response } = await client.POST('/mobile-bff/v1/pix/brcode/emv/', {
  body: {
    emv: '00020126580014br.gov.bcb.pix0136123e4567-e12b-12d1-a456-426655440000520400005303986540510.505802BR5915Padaria Exemplo6008BRASILIA62140510PEDIDO100163044037',
  },
})
// An error without a body leaves `error` undefined, so the status decides.
if (!response.ok) throw new Error(`The service answered ${response.status}`, { cause: error })
console.log(data)
