import type { TransferRequest } from '@partner-payments/spec'

/** The settings that all clients support. */
export interface Connection {
  /** Without a path or trailing slash; the paths of the contract are appended. */
  baseUrl: string
  /** Sent as a bearer token. */
  token: string
  fetch: typeof globalThis.fetch
}

/**
 * Three operations of the contract, called through any client. A promise resolves to the response body if the client
 * reports a success, and rejects if the client's documented check reports a failure.
 */
export interface Client {
  checkKey: (dictKey: string) => Promise<unknown>
  createTransfer: (request: TransferRequest) => Promise<unknown>
  getWebhook: (webhookId: string) => Promise<unknown>
}

export type Connect = (connection: Connection) => Client
