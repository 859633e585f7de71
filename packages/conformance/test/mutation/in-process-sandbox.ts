import { createApp } from '@partner-payments/sandbox'
import contract from '@partner-payments/spec/openapi.json' with { type: 'json' }
import { type Contract, readContract } from '../../src/model/contract.ts'
import { createFetchTransport } from '../../src/transport/fetch-transport.ts'
import type { Transport } from '../../src/transport/transport.ts'

/** The contract, read once. */
export const read: Contract = readContract(contract)

/** Options of a run against a service in this process. */
export const configuration = {
  url: 'http://127.0.0.1',
  contract,
  target: 'sandbox' as const,
  credentials: { clientKey: 'partner', clientSecret: 'secret' },
  other: { clientKey: 'other', clientSecret: 'secret' },
}

/** Opens a sandbox without a server. */
export async function openService(): Promise<{ transport: Transport; close(): Promise<void> }> {
  const app = await createApp({ allowLoopback: true, limitsRates: false })
  return { transport: createFetchTransport(app.fetch), close: () => app.close() }
}
