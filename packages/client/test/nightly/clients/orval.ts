import type { TransferRequest } from '@partner-payments/client'
import { createTransfer } from './orval/client.ts'
import { baseUrl, safeFetch } from './safe-fetch.ts'

const fetch: typeof safeFetch = (path, init) => safeFetch(`${baseUrl}${path}`, init)

export async function pay(body: TransferRequest) {
  const response = await createTransfer(body, {}, fetch)
  if (response.status !== 201) throw new Error(response.data.title)
  return response.data
}
