import { createPayments } from '@partner-payments/client'

const { BASE_URL: baseUrl = 'http://127.0.0.1:4010' } = process.env
const { CLIENT_KEY: clientKey = '', CLIENT_SECRET: clientSecret = '' } = process.env
const payments = createPayments({ baseUrl, auth: { clientKey, clientSecret } })

// Every record, page after page.
const codes = payments.qrcodes.listDueDate({
  status: 'ATIVA',
  limit: '20',
})
for await (const code of codes) {
  console.log(code.tx_id, code.status)
}
