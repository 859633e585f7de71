import { createSafeFetch, type TransferRequest } from '@partner-payments/client'
import type { Client } from './kubb/.kubb/fetch.ts'
import { createTransfer } from './kubb/clients/createTransfer.ts'
import { auth, baseUrl } from './safe-fetch.ts'

const safeFetch = createSafeFetch({ baseUrl, auth, throwHttpErrors: true })

const client: Client = async ({ url, method = 'GET', data, signal = null }) => {
  const body = data ? JSON.stringify(data) : null
  const response = await safeFetch(`${baseUrl}${url}`, { method, body, signal })
  const { status, statusText, headers } = response
  return { data: status === 204 ? undefined : await response.json(), status, statusText, headers }
}

export function pay(body: TransferRequest) {
  return createTransfer(body, { client })
}
