import {
  type Disposable,
  type Get,
  notDisposableReason,
  SERVICES,
} from '@partner-payments/contract'
import { httpTransport, type Transport } from './transport.ts'

/** Our own services, which only repeat the contract. */
export type OwnService = Disposable

const OWN_SERVICES: readonly OwnService[] = ['sandbox', 'mock']

/** Which of our own services sent a response, by its header `server`; undefined for any other. */
export function ownServiceOf(server: unknown): OwnService | undefined {
  const [product] = String(server ?? '').split(/[/ ]/, 1)
  return OWN_SERVICES.find((name) => SERVICES[name] === product)
}

/** Milliseconds until the response. */
const TIMEOUT_MS = 10_000

/**
 * Asks a service whether it is one of our own, since a gateway may replace the header.
 *
 * @param url Its base URL.
 */
export async function askOwnService(url: string): Promise<OwnService | undefined> {
  const base = new URL(url)
  const { transport, close } = httpTransport(base)
  return askOver(transport, base).finally(close)
}

/** Asks over a transport for each of our services. Undefined if it is none of them. */
async function askOver(transport: Transport, url: URL): Promise<OwnService | undefined> {
  for (const kind of OWN_SERVICES) {
    const signal = AbortSignal.timeout(TIMEOUT_MS)
    const get: Get = (path, headers) => transport({ method: 'GET', path, headers }, signal)
    const asking = notDisposableReason(url, { kind, isRemoteAllowed: true, get })
    // A service that does not respond is none of ours.
    const reasonAgainst = await asking.catch(() => 'it does not respond')
    const isOfKind = reasonAgainst === undefined
    if (isOfKind) return kind
  }
  return undefined
}
