import type { Connect } from '../client.ts'
import { checkKey, createTransfer, getWebhook } from '../generated/orval/client.ts'

export const connect: Connect = ({ baseUrl, token, fetch }) => {
  const at: typeof fetch = (path, init) => fetch(`${baseUrl}${path}`, init)
  const options = { headers: { authorization: `Bearer ${token}` } }
  return {
    checkKey: async (dict_key) => {
      const answer = await checkKey({ dict_key }, options, at)
      if (answer.status !== 200) throw answer
      return answer.data
    },
    createTransfer: async (request) => {
      const answer = await createTransfer(request, options, at)
      if (answer.status !== 201) throw answer
      return answer.data
    },
    getWebhook: async (id) => {
      const answer = await getWebhook(id, options, at)
      if (answer.status !== 200) throw answer
      return answer.data
    },
  }
}
