import type { Connect } from './client.ts'

/** One client: `clients/<file>.ts` connects it, `pages/<file>.ts` calls three operations. */
export interface Subject {
  file: string
  /** The name in the table. */
  subject: string
  /** Whether it is a client of this package. */
  ours?: true
}

/** Not measurably slower than fetch alone. */
export const byHand: Subject = { file: 'bare-fetch', subject: 'fetch (ten lines by hand)' }

export const openapiFetch: Subject = { file: 'openapi-fetch', subject: 'openapi-fetch' }

export const clients: readonly Subject[] = [
  { file: 'ours', subject: '@partner-payments/client', ours: true },
  byHand,
  openapiFetch,
  { file: 'hey-api', subject: '@hey-api/openapi-ts' },
  { file: 'orval', subject: 'orval' },
  { file: 'kubb', subject: 'kubb' },
]

/** The same page with logging, which no peer has. */
export const observed: readonly Subject[] = [
  { file: 'ours-observed', subject: '@partner-payments/client', ours: true },
]

/** The same page with response checks, which contain the schemas of the contract. */
export const validated: readonly Subject[] = [
  { file: 'ours-validated', subject: '@partner-payments/client', ours: true },
]

export const oursByPath: Subject = {
  file: 'ours-by-path',
  subject: '@partner-payments/client by path',
  ours: true,
}

/** Clients that call operations by method and path. */
export const clientsByPath: readonly Subject[] = [oursByPath, openapiFetch]

/** All clients whose calls are measured. */
export const called: readonly Subject[] = [...clients, oursByPath]

export async function load({ file }: Subject): Promise<Connect> {
  const { connect } = (await import(`./clients/${file}.ts`)) as { connect: Connect }
  return connect
}
