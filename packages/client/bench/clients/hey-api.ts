import type { Connect } from '../client.ts'
import { createClient } from '../generated/hey-api/client/index.ts'
import { checkKey, createTransfer, getWebhook } from '../generated/hey-api/sdk.gen.ts'

export const connect: Connect = ({ baseUrl, token, fetch }) => {
  const client = createClient({ baseUrl, fetch, auth: () => token })
  return {
    checkKey: async (dict_key) => dataOf(await checkKey({ client, body: { dict_key } })),
    createTransfer: async (body) => dataOf(await createTransfer({ client, body })),
    getWebhook: async (webhook_id) => dataOf(await getWebhook({ client, path: { webhook_id } })),
  }
}

function dataOf<Data>({ data, error }: { data?: Data; error?: unknown }) {
  if (error) throw error
  return data
}
