import type { Transfer, TransferRequest } from '@partner-payments/client'
import ky from 'ky'
import { baseUrl, safeFetch } from './safe-fetch.ts'

const api = ky.create({ prefix: baseUrl, fetch: safeFetch, retry: 0, timeout: false })

export function pay(body: TransferRequest) {
  return api.post('mobile-bff/v1/pix/out/', { json: body }).json<Transfer>()
}
