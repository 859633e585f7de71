import type {
  CheckKeyRequest,
  KeyCheck,
  Transfer,
  TransferRequest,
  Webhook,
} from '@partner-payments/spec'
import type { Connection } from './connection.ts'

/** What a careful team writes by hand: the lower bound of size and cost. */
export function connect({ baseUrl, token, fetch }: Connection) {
  const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' }
  const call = async <Body>(method: string, path: string, body?: object): Promise<Body> => {
    const response = await fetch(baseUrl + path, {
      method,
      headers,
      ...(body && { body: JSON.stringify(body) }),
    })
    if (!response.ok) throw new Error(`${method} ${path} returned ${response.status}`)
    return (await response.json()) as Body
  }
  return {
    checkKey: (dict_key: string) => {
      const body: CheckKeyRequest = { dict_key }
      return call<KeyCheck>('POST', '/mobile-bff/v1/pix/dict/check/', body)
    },
    createTransfer: (body: TransferRequest) =>
      call<Transfer>('POST', '/mobile-bff/v1/pix/out/', body),
    getWebhook: (id: string) =>
      call<Webhook>('GET', `/mobile-bff/v1/partner/webhook/${encodeURIComponent(id)}`),
  }
}
