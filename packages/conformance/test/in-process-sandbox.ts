import { createApp } from '@partner-payments/sandbox'
import contract from '@partner-payments/spec/openapi.json' with { type: 'json' }
import type { HttpRequest, HttpResponse } from '../src/model/http.ts'
import { createFetchTransport } from '../src/transport/fetch-transport.ts'
import type { Transport } from '../src/transport/transport.ts'

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

/** Changes some responses of a service. */
export function edited(
  transport: Transport,
  isMeant: (request: HttpRequest, response: HttpResponse) => boolean,
  edit: (response: HttpResponse) => Partial<HttpResponse>,
): Transport {
  return {
    ...transport,
    async send(request) {
      const response = await transport.send(request)
      return isMeant(request, response) ? { ...response, ...edit(response) } : response
    },
  }
}
