import { createClient } from '@partner-payments/client'

const { BASE_URL: baseUrl = 'http://127.0.0.1:4010' } = process.env
const { CLIENT_KEY: clientKey = '', CLIENT_SECRET: clientSecret = '' } = process.env
const api = createClient({ baseUrl, auth: { clientKey, clientSecret } })

const { data, error } = await api.POST('/pix/brcode/emv', {
  body: {
    emv: '00020126580014br.gov.bcb.pix0136123e4567-e12b-12d1-a456-426655440000520400005303986540510.505802BR5915Padaria Exemplo6008BRASILIA62140510PEDIDO100163044037',
  },
})
if (error) throw new Error(error.title)
console.log(data.beneficiary.name, data.final_amount)
