import type { Transfer, TransferRequest } from '@partner-payments/client'
import { baseUrl, safeFetch } from './safe-fetch.ts'

export async function pay(body: TransferRequest) {
  const url = `${baseUrl}/mobile-bff/v1/pix/out/`
  const response = await safeFetch(url, { method: 'POST', body: JSON.stringify(body) })
  if (!response.ok) throw new Error(`refused with ${response.status}`)
  return (await response.json()) as Transfer
}
