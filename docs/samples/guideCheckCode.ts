import { createClient } from '@partner-payments/client'

const { env } = process
const api = createClient({
  baseUrl: env.BASE_URL ?? 'http://127.0.0.1:4010',
  auth: {
    clientKey: env.CLIENT_KEY ?? '',
    clientSecret: env.CLIENT_SECRET ?? '',
  },
})

const { data, error } = await api.POST('/pix/brcode/emv', {
  body: {
    emv: '00020126580014br.gov.bcb.pix0136123e4567-e12b-12d1-a456-426655440000520400005303986540510.505802BR5915Padaria Exemplo6008BRASILIA62140510PEDIDO100163044037',
  },
})
if (error) throw new Error(error.title)
console.log(data.beneficiary.name, data.final_amount)
