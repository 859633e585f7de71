import type { Connect } from './client.ts'

/** One client: `clients/<file>.ts` connects it, `pages/<file>.ts` is a program of three operations on it. */
export interface Subject {
  file: string
  /** As the table names it. */
  subject: string
  /** Set on a client of this package. */
  ours?: true
}

/** Differs from fetch alone by less than can be measured. */
export const byHand: Subject = { file: 'bare-fetch', subject: 'fetch (ten lines by hand)' }

const openapiFetch: Subject = { file: 'openapi-fetch', subject: 'openapi-fetch' }

export const clients: readonly Subject[] = [
  { file: 'ours', subject: '@partner-payments/client', ours: true },
  byHand,
  openapiFetch,
  { file: 'hey-api', subject: '@hey-api/openapi-ts' },
  { file: 'orval', subject: 'orval' },
  { file: 'kubb', subject: 'kubb' },
]

/** The same page with every middleware that the package has; no peer has any of it. */
export const watched: readonly Subject[] = [
  { file: 'ours-watched', subject: '@partner-payments/client', ours: true },
]

/** With the checks of answers on top, which hold the schemas of the contract. */
export const validated: readonly Subject[] = [
  { file: 'ours-validated', subject: '@partner-payments/client', ours: true },
]

/** Clients whose operations are called by method and path; of these only the page is measured. */
export const clientsByPath: readonly Subject[] = [
  { file: 'ours-by-path', subject: '@partner-payments/client', ours: true },
  openapiFetch,
]

export async function load({ file }: Subject): Promise<Connect> {
  const { connect } = (await import(`./clients/${file}.ts`)) as { connect: Connect }
  return connect
}
