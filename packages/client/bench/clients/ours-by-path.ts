import { createClient, type TransferRequest } from '@partner-payments/client'
import { type Connection, dataOf } from './connection.ts'

export function connect({ baseUrl, token, fetch }: Connection) {
  const client = createClient({ baseUrl, auth: { token: () => token }, fetch })
  return {
    checkKey: async (dict_key: string) =>
      dataOf(await client.POST('/mobile-bff/v1/pix/dict/check/', { body: { dict_key } })),
    createTransfer: async (body: TransferRequest) =>
      dataOf(await client.POST('/mobile-bff/v1/pix/out/', { body })),
    getWebhook: async (webhook_id: string) =>
      dataOf(
        await client.GET('/mobile-bff/v1/partner/webhook/{webhook_id}', {
          params: { path: { webhook_id } },
        }),
      ),
  }
}
