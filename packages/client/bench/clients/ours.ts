import { createPayments, type Fetch, type TransferRequest } from '@partner-payments/client'

export function connect({
  baseUrl,
  token,
  fetch,
}: {
  baseUrl: string
  token: string
  fetch: Fetch
}) {
  const payments = createPayments({ baseUrl, auth: { token: () => token }, fetch })
  return {
    checkKey: (dict_key: string) => payments.keys.check(dict_key),
    createTransfer: (body: TransferRequest) => payments.transfers.create(body),
    getWebhook: (webhook_id: string) => payments.webhooks.get(webhook_id),
  }
}
