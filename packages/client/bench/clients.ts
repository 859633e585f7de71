import type { TransferRequest } from '@partner-payments/spec'
import type { Connection } from './clients/connection.ts'

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

/** One client: `clients/<file>.ts` connects it to three operations. */
export interface Subject {
  file: string
  /** The name in the table. */
  subject: string
  /** Whether it is a client of this package. */
  ours?: true
}

const ours = (file: string, subject = '@partner-payments/client'): Subject => ({ file, subject, ours: true })

/** Not measurably slower than fetch alone. */
export const byHand: Subject = { file: 'bare-fetch', subject: 'fetch (ten lines by hand)' }

export const openapiFetch: Subject = { file: 'openapi-fetch', subject: 'openapi-fetch' }

export const clients: readonly Subject[] = [
  ours('ours'),
  byHand,
  openapiFetch,
  { file: 'hey-api', subject: '@hey-api/openapi-ts' },
  { file: 'orval', subject: 'orval' },
  { file: 'kubb', subject: 'kubb' },
]

/** With logs, which no peer has. */
export const observed = ours('ours-observed')

/** With response checks too, which contain the schemas of the contract. */
export const validated = ours('ours-validated')

export const oursByPath = ours('ours-by-path', '@partner-payments/client by path')

/** Clients that call operations by method and path. */
export const clientsByPath: readonly Subject[] = [oursByPath, openapiFetch]

/** All clients whose calls are measured. */
export const called: readonly Subject[] = [...clients, oursByPath]

export async function load({ file }: Subject): Promise<Connect> {
  const { connect } = (await import(`./clients/${file}.ts`)) as { connect: Connect }
  return connect
}
