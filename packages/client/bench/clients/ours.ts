import { createPayments } from '@partner-payments/client'
import type { Connect } from '../client.ts'

export const connect: Connect = ({ baseUrl, token, fetch }) => {
  const payments = createPayments({ baseUrl, auth: { token: () => token }, fetch })
  return {
    checkKey: (dictKey) => payments.keys.check(dictKey),
    createTransfer: (request) => payments.transfers.create(request),
    getWebhook: (id) => payments.webhooks.get(id),
  }
}
