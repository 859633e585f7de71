import type { TransferRequest } from '@partner-payments/spec'
import { checkKey, createTransfer, getWebhook } from '../generated/orval/client.ts'
import type { Connection } from './connection.ts'

export function connect({ baseUrl, token, fetch }: Connection) {
  const at: typeof fetch = (path, init) => fetch(`${baseUrl}${path}`, init)
  const options = { headers: { authorization: `Bearer ${token}` } }
  return {
    checkKey: async (dict_key: string) => {
      const response = await checkKey({ dict_key }, options, at)
      if (response.status !== 200) throw response
      return response.data
    },
    createTransfer: async (request: TransferRequest) => {
      const response = await createTransfer(request, options, at)
      if (response.status !== 201) throw response
      return response.data
    },
    getWebhook: async (id: string) => {
      const response = await getWebhook(id, options, at)
      if (response.status !== 200) throw response
      return response.data
    },
  }
}
