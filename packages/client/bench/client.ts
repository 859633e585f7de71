import type { TransferRequest } from '@partner-payments/spec'

/** What a client is given, and no more than every one of them can take. */
export interface Connection {
  /** Without a slash at its end, and without a path: the paths of the contract are joined to it. */
  baseUrl: string
  /** Sent as a bearer token. */
  token: string
  fetch: typeof globalThis.fetch
}

/**
 * Three operations of the contract through some client. A promise resolves to what the operation answers where the
 * client says that it succeeded, and rejects where the client's documented check says that it failed.
 */
export interface Client {
  checkKey: (dictKey: string) => Promise<unknown>
  createTransfer: (request: TransferRequest) => Promise<unknown>
  getWebhook: (webhookId: string) => Promise<unknown>
}

export type Connect = (connection: Connection) => Client
