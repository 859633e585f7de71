import type { paths, TransferRequest } from '@partner-payments/client'
import createFetchClient from 'openapi-fetch'
import { baseUrl, safeFetch } from './safe-fetch.ts'

const api = createFetchClient<paths>({ baseUrl, fetch: safeFetch })

export async function pay(body: TransferRequest) {
  const { data, error } = await api.POST('/mobile-bff/v1/pix/out/', { body })
  if (error) throw new Error(error.title)
  return data
}
