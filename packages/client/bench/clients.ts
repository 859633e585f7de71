import type { TransferRequest } from '@partner-payments/spec'
import type { Connection } from './clients/connection.ts'

/**
 * Three operations of the contract, called through any client. A promise resolves to the response
 * body if the client reports a success, and rejects if the client's documented check reports a
 * failure.
 */
export interface Client {
  checkKey: (dictKey: string) => Promise<unknown>
  createTransfer: (request: TransferRequest) => Promise<unknown>
  getWebhook: (webhookId: string) => Promise<unknown>
}

export type Connect = (connection: Connection) => Client

/** The file in `clients` that connects a client to three operations, by its name in the table. */
export type Files = Readonly<Record<string, string>>

export const OURS = '@partner-payments/client'

/** Not measurably slower than fetch alone. */
export const BY_HAND = 'fetch (ten lines by hand)'

export const CLIENTS: Files = {
  [OURS]: 'ours',
  [BY_HAND]: 'bare-fetch',
  'openapi-fetch': 'openapi-fetch',
  '@hey-api/openapi-ts': 'hey-api',
  orval: 'orval',
  kubb: 'kubb',
}

/** Clients that call operations by method and path. */
export const CLIENTS_BY_PATH: Files = {
  '@partner-payments/client by path': 'ours-by-path',
  'openapi-fetch': 'openapi-fetch',
}

/** What guards cost: no other peer ends a request in time, or keeps it from caches and redirects. */
export const GUARDED: Files = { 'fetch (by hand, with guards)': 'bare-fetch-guarded' }

export async function load(files: Files): Promise<Record<string, Connect>> {
  const connects: Record<string, Connect> = {}
  for (const [name, file] of Object.entries(files)) {
    const module: { connect: Connect } = await import(`./clients/${file}.ts`)
    connects[name] = module.connect
  }
  return connects
}
