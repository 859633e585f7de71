import { createPayments } from '@partner-payments/client'

const { BASE_URL = 'http://127.0.0.1:4010', CLIENT_KEY = '', CLIENT_SECRET = '' } = process.env
const auth = { clientKey: CLIENT_KEY, clientSecret: CLIENT_SECRET }
const payments = createPayments({ baseUrl: BASE_URL, auth })

// Every record, page after page; awaited, the call gives the first page.
for await (const code of payments.qrcodes.listImmediate({ status: 'ATIVA', limit: '20' })) {
  console.log(code.tx_id, code.status)
}
