import type { TransferRequest } from '@partner-payments/client'
import { createClient } from './hey-api/client/index.ts'
import { createTransfer } from './hey-api/sdk.gen.ts'
import { baseUrl, safeFetch } from './safe-fetch.ts'

const client = createClient({ baseUrl, fetch: safeFetch })

export async function pay(body: TransferRequest) {
  const { data, error } = await createTransfer({ client, body })
  if (error) throw error
  return data
}
