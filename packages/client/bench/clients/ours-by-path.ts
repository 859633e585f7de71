import { createClient } from '@partner-payments/client'
import type { Connect } from '../client.ts'

export const connect: Connect = ({ baseUrl, token, fetch }) => {
  const client = createClient({ baseUrl, auth: { token: () => token }, fetch })
  return {
    checkKey: async (dict_key) =>
      dataOf(await client.POST('/mobile-bff/v1/pix/dict/check/', { body: { dict_key } })),
    createTransfer: async (body) => dataOf(await client.POST('/mobile-bff/v1/pix/out/', { body })),
    getWebhook: async (webhook_id) =>
      dataOf(
        await client.GET('/mobile-bff/v1/partner/webhook/{webhook_id}', { params: { path: { webhook_id } } }),
      ),
  }
}

function dataOf<Data>({ data, error }: { data?: Data; error?: unknown }) {
  if (error) throw error
  return data
}
