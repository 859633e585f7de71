import type { Connect } from '../client.ts'
import { checkKey } from '../generated/kubb/clients/checkKey.ts'
import { createTransfer } from '../generated/kubb/clients/createTransfer.ts'
import { getWebhook } from '../generated/kubb/clients/getWebhook.ts'

export const connect: Connect = ({ baseUrl, token, fetch }) => {
  // It sends no content type of its own.
  const config = {
    baseURL: baseUrl,
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
  }
  return {
    checkKey: (dict_key) => instead(fetch, () => checkKey({ dict_key }, config)),
    createTransfer: (request) => instead(fetch, () => createTransfer(request, config)),
    getWebhook: (id) => instead(fetch, () => getWebhook(id, config)),
  }
}

/** It takes no fetch but the global one, which it reads before its first await. */
function instead<Answer>(fetch: typeof globalThis.fetch, call: () => Promise<Answer>) {
  const own = globalThis.fetch
  globalThis.fetch = fetch
  try {
    return call()
  } finally {
    globalThis.fetch = own
  }
}
