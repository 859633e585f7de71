import type { Connect } from '../client.ts'
import { checkKey, createTransfer, getWebhook } from '../generated/orval/client.ts'

export const connect: Connect = ({ baseUrl, token, fetch }) => {
  const at: typeof fetch = (path, init) => fetch(`${baseUrl}${path}`, init)
  const options = { headers: { authorization: `Bearer ${token}` } }
  return {
    checkKey: async (dict_key) => {
      const response = await checkKey({ dict_key }, options, at)
      if (response.status !== 200) throw response
      return response.data
    },
    createTransfer: async (request) => {
      const response = await createTransfer(request, options, at)
      if (response.status !== 201) throw response
      return response.data
    },
    getWebhook: async (id) => {
      const response = await getWebhook(id, options, at)
      if (response.status !== 200) throw response
      return response.data
    },
  }
}
