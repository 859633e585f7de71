import type { CheckKeyRequest, KeyCheck, Transfer, Webhook } from '@partner-payments/spec'
import { bareFetch } from '../bare-fetch.ts'
import type { Connect } from '../client.ts'

export const connect: Connect = ({ baseUrl, token, fetch }) => {
  const call = bareFetch(baseUrl, token, fetch)
  return {
    checkKey: (dict_key) => {
      const body: CheckKeyRequest = { dict_key }
      return call<KeyCheck>('POST', '/mobile-bff/v1/pix/dict/check/', body)
    },
    createTransfer: (request) => call<Transfer>('POST', '/mobile-bff/v1/pix/out/', request),
    getWebhook: (id) => call<Webhook>('GET', `/mobile-bff/v1/partner/webhook/${encodeURIComponent(id)}`),
  }
}
