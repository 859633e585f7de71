import type { TransferRequest } from '@partner-payments/spec'
import { createClient } from '../generated/hey-api/client/index.ts'
import { checkKey, createTransfer, getWebhook } from '../generated/hey-api/sdk.gen.ts'
import { type Connection, dataOf } from './connection.ts'

export function connect({ baseUrl, token, fetch }: Connection) {
  const client = createClient({ baseUrl, fetch, auth: () => token })
  return {
    checkKey: async (dict_key: string) => dataOf(await checkKey({ client, body: { dict_key } })),
    createTransfer: async (body: TransferRequest) => dataOf(await createTransfer({ client, body })),
    getWebhook: async (webhook_id: string) =>
      dataOf(await getWebhook({ client, path: { webhook_id } })),
  }
}
