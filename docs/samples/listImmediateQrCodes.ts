import { createPayments } from '@partner-payments/client'

const { env } = process
const payments = createPayments({
  baseUrl: env.BASE_URL ?? 'http://127.0.0.1:4010',
  auth: {
    clientKey: env.CLIENT_KEY ?? '',
    clientSecret: env.CLIENT_SECRET ?? '',
  },
})

// Every record, page after page.
const codes = payments.qrcodes.listImmediate({
  status: 'ATIVA',
  limit: '20',
})
for await (const code of codes) {
  console.log(code.tx_id, code.status)
}
