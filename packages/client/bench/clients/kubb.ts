import type { Connect } from '../client.ts'
import { checkKey } from '../generated/kubb/clients/checkKey.ts'
import { createTransfer } from '../generated/kubb/clients/createTransfer.ts'
import { getWebhook } from '../generated/kubb/clients/getWebhook.ts'

export const connect: Connect = ({ baseUrl, token, fetch }) => {
  // kubb sets no content-type.
  const config = {
    baseURL: baseUrl,
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
  }
  return {
    checkKey: (dict_key) => withFetch(fetch, () => checkKey({ dict_key }, config)),
    createTransfer: (request) => withFetch(fetch, () => createTransfer(request, config)),
    getWebhook: (id) => withFetch(fetch, () => getWebhook(id, config)),
  }
}

/** kubb only uses the global fetch, which it reads before its first await. */
function withFetch<Body>(fetch: typeof globalThis.fetch, call: () => Promise<Body>) {
  const own = globalThis.fetch
  globalThis.fetch = fetch
  try {
    return call()
  } finally {
    globalThis.fetch = own
  }
}
