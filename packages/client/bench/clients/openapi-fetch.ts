import type { paths, TransferRequest } from '@partner-payments/spec'
import createClient from 'openapi-fetch'
import { type Connection, dataOf } from './connection.ts'

export function connect({ baseUrl, token, fetch }: Connection) {
  const client = createClient<paths>({
    baseUrl,
    fetch,
    headers: { authorization: `Bearer ${token}` },
  })
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
