import type { TransferRequest } from '@partner-payments/spec'
import { checkKey } from '../generated/kubb/clients/checkKey.ts'
import { createTransfer } from '../generated/kubb/clients/createTransfer.ts'
import { getWebhook } from '../generated/kubb/clients/getWebhook.ts'
import type { Connection } from './connection.ts'

export function connect({ baseUrl, token, fetch }: Connection) {
  // kubb sets no content-type.
  const config = {
    baseURL: baseUrl,
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
  }
  return {
    checkKey: (dict_key: string) => withFetch(fetch, () => checkKey({ dict_key }, config)),
    createTransfer: (request: TransferRequest) =>
      withFetch(fetch, () => createTransfer(request, config)),
    getWebhook: (id: string) => withFetch(fetch, () => getWebhook(id, config)),
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
